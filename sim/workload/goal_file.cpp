// Reading of dependency traces: words with their lines, and the grammar of GOAL over them.
#include "sim/workload/goal_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <unordered_map>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/file_reader.hpp"
#include "sim/config/json_cursor.hpp"

namespace weft {
namespace {

using Kind = TraceOp::Kind;

constexpr std::uint64_t kMostNumber = std::numeric_limits<std::int64_t>::max();
constexpr const char* kBlank = " \t\r\n";

// A token of the text: a word, or one of { } : by itself; empty at the end of the file.
struct Token {
  std::string_view text;
  std::uint32_t line = 0;
};

class Tokens {
 public:
  explicit Tokens(const DependencyTrace& trace) : trace_(trace), text_(*trace.text) { advance(); }

  const Token& next() const { return next_; }
  Token take() {
    const Token token = next_;
    advance();
    return token;
  }

 private:
  void advance() {
    skip_blanks();
    next_ = {{}, line_};
    if (at_ == text_.size()) return;
    std::size_t length = 1;
    if (!is_mark(text_[at_])) {
      while (at_ + length < text_.size() && !ends_word(at_ + length)) ++length;
    }
    next_.text = text_.substr(at_, length);
    at_ += length;
  }
  static bool is_mark(char c) { return c == '{' || c == '}' || c == ':'; }
  bool ends_word(std::size_t at) const {
    return is_mark(text_[at]) || std::strchr(kBlank, text_[at]) != nullptr || comment(at);
  }
  bool comment(std::size_t at) const {
    return text_[at] == '/' && at + 1 < text_.size() &&
           (text_[at + 1] == '/' || text_[at + 1] == '*');
  }
  void skip_blanks() {
    while (at_ < text_.size()) {
      if (comment(at_)) {
        skip_comment();
      } else if (std::strchr(kBlank, text_[at_]) != nullptr) {
        line_ += text_[at_++] == '\n';
      } else {
        return;
      }
    }
  }
  void skip_comment() {
    const bool to_end_of_line = text_[at_ + 1] == '/';
    const std::size_t end = to_end_of_line ? text_.find('\n', at_) : text_.find("*/", at_ + 2);
    if (end == std::string_view::npos && !to_end_of_line) {
      refuse_line(trace_, line_, "/*", "*/ after it, the end of the comment");
    }
    const std::size_t stop = end == std::string_view::npos ? text_.size()
                             : to_end_of_line              ? end
                                                           : end + 2;
    for (; at_ < stop; ++at_) line_ += text_[at_] == '\n';
  }

  const DependencyTrace& trace_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  Token next_;
};

class Parser {
 public:
  explicit Parser(DependencyTrace& trace) : trace_(trace), tokens_(trace) {}

  void parse() {
    expect_word("num_ranks", "num_ranks N, the number of ranks, before all else");
    const Token count = tokens_.take();
    // The largest networks have this many nodes.
    ranks_ = static_cast<std::uint32_t>(number(count, 1, 1u << 24, "ranks"));
    trace_.count_line = count.line;
    trace_.ranks.resize(ranks_);
    std::vector<std::uint32_t> lines(ranks_);
    while (!tokens_.next().text.empty()) {
      const Token word = tokens_.next();
      expect_word("rank", "rank R {, the operations of a rank");
      const std::uint32_t rank = peer("rank");
      if (lines[rank] != 0) {
        refuse(word, fmt::format("rank {}", rank),
               fmt::format("each rank once, this one begins in line {}", lines[rank]));
      }
      lines[rank] = word.line;
      expect_word("{", "{ and the operations of the rank");
      parse_rank(trace_.ranks[rank]);
    }
  }

 private:
  // A dependency that is not resolved yet: labels may follow later.
  struct Dependency {
    Token op, on;
    bool on_start;
  };

  [[noreturn]] void refuse(const Token& at, const std::string& value,
                           const std::string& expected) const {
    refuse_line(trace_, at.line, value, expected);
  }
  [[noreturn]] void refuse(const Token& at, const std::string& expected) const {
    refuse(at, at.text.empty() ? "end of the file" : std::string(at.text), expected);
  }

  void expect_word(std::string_view word, const std::string& expected) {
    const Token token = tokens_.take();
    if (token.text != word) refuse(token, expected);
  }

  std::uint64_t number(const Token& token, std::uint64_t least, std::uint64_t most,
                       const std::string& of) const {
    return number(token, token.text, least, most, of);
  }
  std::uint64_t number(const Token& token, std::string_view digits, std::uint64_t least,
                       std::uint64_t most, const std::string& of) const {
    std::uint64_t value = 0;
    const char* const end = digits.data() + digits.size();
    const auto [rest, error] = std::from_chars(digits.data(), end, value);
    if (error != std::errc() || rest != end || value < least || value > most) {
      refuse(token, fmt::format("{} {} to {}", of, least, most));
    }
    return value;
  }

  std::uint32_t peer(const char* of) {
    const Token token = tokens_.take();
    return static_cast<std::uint32_t>(number(token, 0, ranks_ - 1, of));
  }

  void parse_rank(std::vector<TraceOp>& ops) {
    labels_.clear();
    dependencies_.clear();
    for (Token word = tokens_.take(); word.text != "}"; word = tokens_.take()) {
      parse_statement(word, ops);
    }
    for (const Dependency& d : dependencies_) {
      TraceOp& op = ops[labelled(d.op)];
      (d.on_start ? op.requires_start : op.requires_end).push_back(labelled(d.on));
    }
  }

  std::uint32_t labelled(const Token& label) const {
    const auto found = labels_.find(label.text);
    if (found == labels_.end()) refuse(label, "a label of an operation of this rank");
    return found->second;
  }

  void parse_statement(const Token& word, std::vector<TraceOp>& ops) {
    const bool has_label = tokens_.next().text == ":";
    if (has_label) {
      (void)tokens_.take();
      const auto number_of_it = static_cast<std::uint32_t>(ops.size());
      const auto [earlier, is_new] = labels_.emplace(word.text, number_of_it);
      if (!is_new) {
        refuse(word, fmt::format("a label of its own for each operation of a rank, this is that of "
                                 "line {}",
                                 ops[earlier->second].line));
      }
    }
    const Token kind = has_label ? tokens_.take() : word;
    if (kind.text == "calc" || kind.text == "send" || kind.text == "recv") {
      TraceOp op;
      op.line = kind.line;
      if (has_label) op.label = word.text;
      parse_op(kind.text, op);
      ops.push_back(std::move(op));
      return;
    }
    const bool on_start = tokens_.next().text == "irequires";
    if (has_label || (!on_start && tokens_.next().text != "requires")) {
      refuse(kind,
             "calc N, send Nb to R, recv Nb from R, a label and \":\" before one of these, "
             "LABEL requires LABEL, LABEL irequires LABEL, or }");
    }
    (void)tokens_.take();
    dependencies_.push_back({word, tokens_.take(), on_start});
  }

  void parse_op(std::string_view kind, TraceOp& op) {
    const Token amount = tokens_.take();
    if (kind == "calc") {
      op.amount = number(amount, 0, kMostNumber, "calc and a time");
    } else {
      const bool send = kind == "send";
      op.kind = send ? Kind::kSend : Kind::kRecv;
      std::string_view digits = amount.text;
      if (!digits.ends_with('b')) refuse(amount, "a size in bytes, with a b behind it");
      digits.remove_suffix(1);
      op.amount = number(amount, digits, 1, kMostNumber, "bytes");
      expect_word(send ? "to" : "from", send ? "to RANK" : "from RANK");
      op.peer = peer("ranks");
    }
    for (;;) {
      const std::string_view option = tokens_.next().text;
      const bool message = op.kind != Kind::kCalc;
      if (option != "cpu" && !(message && (option == "tag" || option == "nic"))) return;
      (void)tokens_.take();
      const Token value = tokens_.take();
      if (tokens_.next().text == ":") refuse(value, fmt::format("{} and a number", option));
      const std::uint64_t n = number(value, 0, kMostNumber, std::string(option));
      if (option == "tag") op.tag = n;
      if (option == "cpu" && n != 0) trace_.several_cpus = true;
    }
  }

  DependencyTrace& trace_;
  Tokens tokens_;
  std::uint32_t ranks_ = 0;
  std::unordered_map<std::string_view, std::uint32_t> labels_;
  std::vector<Dependency> dependencies_;
};

}  // namespace

void refuse_line(const DependencyTrace& trace, std::uint32_t line, const std::string& value,
                 const std::string& expected) {
  throw ConfigError(fmt::format("{}:{}", trace.file, line), "", shown(value), expected);
}

std::string name_of(const TraceOp& op) {
  if (!op.label.empty()) return std::string(op.label);
  constexpr const char* kKinds[] = {"calc", "send", "recv"};
  return fmt::format("{} in line {}", kKinds[static_cast<unsigned>(op.kind)], op.line);
}

DependencyTrace parse_goal(std::string text, std::string file) {
  DependencyTrace trace;
  trace.file = std::move(file);
  trace.text = std::make_shared<const std::string>(std::move(text));
  Parser(trace).parse();
  return trace;
}

DependencyTrace read_goal(const std::string& file) {
  constexpr unsigned kMemoryPerByte = 16;  // Memory per byte of the file, for the shortest
                                           // operations.
  return parse_goal(read_file(file, {.memory_per_byte = kMemoryPerByte}), file);
}

}  // namespace weft
