// weft completion: what the shell offers for the word at the cursor, from the command's own
// options.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "sim/cli/commands.hpp"
#include "sim/cli/output.hpp"
#include "sim/config/key_list.hpp"
#include "sim/workload/registry.hpp"

namespace weft::cli {
namespace {

// The shell calls it with the words up to the cursor, and completes file names itself. After "="
// bash begins a new word.
constexpr const char* kBash =
    R"BASH(# bash completion of weft; for zsh: autoload -U bashcompinit && bashcompinit first
_weft() {
  local IFS=$'\n'
  COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" completion words -- \
    "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "${COMP_WORDS[COMP_CWORD]}"))
  [[ ${#COMPREPLY[@]} != 1 || $COMPREPLY != *= ]] || compopt -o nospace
}
complete -o default -F _weft weft
)BASH";

struct CompletionArguments {
  std::string what;
  std::vector<std::string> words;
};

// The values that an option accepts, from its check CLI::IsMember: "TEXT:{a,b}".
std::vector<std::string> values_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto begin = type.find('{'), end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return {};
  return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

// Keys of a configuration, ready for a value.
std::vector<std::string> keys() {
  std::vector<std::string> all;
  for (const auto& key : list_keys(full_registry())) {
    const auto name = key.at("name").get<std::string>();
    if (name.find('[') == std::string::npos) all.push_back(name + "=");
  }
  // A key of several kinds of workload has a row for each.
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// Words that may follow `words`, the first of which is a subcommand of `app`.
std::vector<std::string> words_after(const CLI::App& app, const std::vector<std::string>& words) {
  std::vector<std::string> all;
  if (words.empty()) {
    for (const CLI::App* command : app.get_subcommands({})) all.push_back(command->get_name());
    return all;
  }
  const auto named = app.get_subcommands(
      [&](const CLI::App* command) { return command->get_name() == words.front(); });
  if (named.empty()) return all;
  const CLI::App* const command = named.front();
  if (words.size() > 1) {
    if (words.back() == "--set") return keys();
    const CLI::Option* option = command->get_option_no_throw(words.back());
    if (option != nullptr && words.back().starts_with("-") &&
        option->get_items_expected_max() > 0) {
      return values_of(*option);
    }
  }
  for (const CLI::Option* option : command->get_options()) {
    if (option->get_positional()) {
      const auto values = values_of(*option);
      all.insert(all.end(), values.begin(), values.end());
      if (option->get_name() == "CONFIG") {
        const auto names = config_names();
        all.insert(all.end(), names.begin(), names.end());
      }
    }
    for (const std::string& name : option->get_lnames()) all.push_back("--" + name);
  }
  return all;
}

}  // namespace

void add_completion(CLI::App& app) {
  auto arguments = std::make_shared<CompletionArguments>();
  CLI::App* command = app.add_subcommand("completion", "Completion of its words in a shell");
  command->add_option("SHELL", arguments->what, "bash: the script to source; words: for the script")
      ->required()
      ->check(CLI::IsMember({"bash", "words"}));
  command->add_option("WORD", arguments->words, "With words: those before the cursor");
  command->footer(
      "In ~/.bashrc: source <(build/weft completion bash), with the path of the command. Man "
      "pages:\n"
      "scripts/man.sh.");
  command->callback([arguments, &app] {
    if (arguments->what == "bash") {
      fmt::print("{}", kBash);
    } else {
      for (const std::string& word : words_after(app, arguments->words)) fmt::print("{}\n", word);
    }
    finish_stdout();
  });
}

}  // namespace weft::cli
