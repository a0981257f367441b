// Dependency traces: reading of GOAL, its errors, matching of messages, circles, the longest chain.
#include "sim/workload/goal_file.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/workload/goal_order.hpp"
#include "tests/unit/goal_traces.hpp"

namespace {

using namespace weft;
using Kind = TraceOp::Kind;

// What is wrong with a trace, read as x.goal; empty: nothing.
std::string goal_error(const std::string& text) {
  try {
    const DependencyTrace trace = parse_goal(text, "x.goal");
    const std::vector<TraceMessage> messages = match_messages(trace);
    const TraceOrder order(trace, messages);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

std::string in_rank(const std::string& ops) {
  return "num_ranks 3\nrank 0 {\n" + ops + "\n}\n";
}

// The longest chain by repeated relaxation of all times, without an order of the events.
std::uint64_t relaxed_longest(const DependencyTrace& trace,
                              const std::vector<TraceMessage>& messages, std::uint64_t latency) {
  std::vector<std::vector<std::uint64_t>> start, end;
  for (const auto& ops : trace.ranks) {
    start.emplace_back(ops.size());
    end.emplace_back(ops.size());
  }
  std::uint64_t most = 0;
  for (bool changed = true; changed;) {
    changed = false;
    const auto raise = [&](std::uint64_t& time, std::uint64_t to) {
      if (to <= time) return;
      time = to;
      most = std::max(most, to);
      changed = true;
    };
    for (std::size_t r = 0; r < trace.ranks.size(); ++r) {
      for (std::size_t i = 0; i < trace.ranks[r].size(); ++i) {
        const TraceOp& op = trace.ranks[r][i];
        for (const auto other : op.requires_end) raise(start[r][i], end[r][other]);
        for (const auto other : op.requires_start) raise(start[r][i], start[r][other]);
        raise(end[r][i], start[r][i] + (op.kind == Kind::kCalc ? op.amount : 0));
      }
    }
    for (const TraceMessage& m : messages) {
      raise(end[m.dst][m.recv], start[m.src][m.send] + latency + m.bytes);
    }
  }
  return most;
}

}  // namespace

TEST_CASE("GOAL: operations, options, labels, dependencies and comments are read") {
  const DependencyTrace trace = parse_goal(
      "/* head\n line */ num_ranks 2 // end\n"
      "rank 1 { only: recv 4096b from 0 tag 3 cpu 1 nic 0 }\n"
      "rank 0 {\n"
      "  l2 requires l1\n"
      "  l1: calc 100 cpu 0\n"
      "  l2: send 4000b to 1 nic 0 tag 3/* tag before */cpu 0\n"
      "  calc 7\n"
      "  l1.b:calc 8\n"
      "  l1.b irequires l2 l1.b requires l1\n"
      "}",
      "x.goal");
  REQUIRE(trace.ranks.size() == 2);
  REQUIRE(trace.ranks[0].size() == 4);
  REQUIRE(trace.ranks[1].size() == 1);
  const TraceOp& recv = trace.ranks[1][0];
  CHECK((recv.kind == Kind::kRecv));
  CHECK(recv.label == "only");
  CHECK(recv.line == 3);
  CHECK(recv.amount == 4096);
  CHECK(recv.peer == 0);
  CHECK(recv.tag == 3);
  CHECK(trace.several_cpus);
  const std::vector<TraceOp>& ops = trace.ranks[0];
  CHECK((ops[0].kind == Kind::kCalc));
  CHECK(ops[0].amount == 100);
  CHECK((ops[1].kind == Kind::kSend));
  CHECK(ops[1].line == 7);
  CHECK(ops[1].tag == 3);
  CHECK(ops[1].requires_end == std::vector<std::uint32_t>{0});
  CHECK(ops[2].label.empty());
  CHECK(name_of(ops[2]) == "calc in line 8");
  CHECK(ops[3].label == "l1.b");
  CHECK(ops[3].requires_start == std::vector<std::uint32_t>{1});
  CHECK(ops[3].requires_end == std::vector<std::uint32_t>{0});
  const std::vector<TraceMessage> messages = match_messages(trace);
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].bytes == 4000);
  CHECK_FALSE(parse_goal("num_ranks 1 rank 0 { calc 1 cpu 0 }", "x.goal").several_cpus);
}

TEST_CASE("GOAL: what is wrong is named with file, line and what is expected") {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"", "x.goal:1: value \"end of the file\": expected: num_ranks N"},
      {"rank 0 {}", "x.goal:1: value \"rank\": expected: num_ranks N"},
      {"num_ranks 0", "x.goal:1: value \"0\": expected: ranks 1 to"},
      {"num_ranks 2\nrank 2 {}", "x.goal:2: value \"2\": expected: rank 0 to 1"},
      {"num_ranks 2\nrank 1 {}\nrank 1 {}",
       "x.goal:3: value \"rank 1\": expected: each rank once, this one begins in line 2"},
      {"num_ranks 2\nrank 1 calc", "x.goal:2: value \"calc\": expected: {"},
      {"num_ranks 1\nrank 0 {\ncalc 1", "x.goal:3: value \"end of the file\": expected: calc N"},
      {"num_ranks 1\n/* x", "x.goal:2: value \"/*\": expected: */"},
      {in_rank("l1: wait 5"), "x.goal:3: value \"wait\": expected: calc N, send Nb to R"},
      {in_rank("calc"), "x.goal:4: value \"}\": expected: calc and a time 0 to"},
      {in_rank("calc -1"), "x.goal:3: value \"-1\""},
      {in_rank("calc 1.5"), "x.goal:3: value \"1.5\""},
      {in_rank("send 5 to 1"), "x.goal:3: value \"5\": expected: a size in bytes"},
      {in_rank("send 0b to 1"), "x.goal:3: value \"0b\": expected: bytes 1 to"},
      {in_rank("send 99999999999999999999b to 1"), "expected: bytes 1 to"},
      {in_rank("send 5b from 1"), "x.goal:3: value \"from\": expected: to RANK"},
      {in_rank("recv 5b to 1"), "x.goal:3: value \"to\": expected: from RANK"},
      {in_rank("send 5b to 3"), "x.goal:3: value \"3\": expected: ranks 0 to 2"},
      {in_rank("send 5b to 1 tag -1"), "x.goal:3: value \"-1\": expected: tag 0 to"},
      {in_rank("calc 5 tag 1"), "x.goal:3: value \"tag\": expected: calc N"},
      {in_rank("calc 5 cpu l1: calc 6"), "x.goal:3: value \"l1\": expected: cpu and a number"},
      {in_rank("a: calc 1\na: calc 2"), "x.goal:4: value \"a\": expected: a label of its own"},
      {in_rank("a: calc 1\na requires b"), "x.goal:4: value \"b\": expected: a label of an"},
      {in_rank("a: calc 1\nb irequires a"), "x.goal:4: value \"b\": expected: a label of an"},
      {in_rank("a: calc 1\na needs a"), "x.goal:4: value \"a\": expected: calc N"},
      {in_rank("s: send 5b to 1 tag 4"),
       "x.goal:3: value \"s\": expected: as many recv as send: rank 0 has 1 send to 1 with tag 4, "
       "which has 0 recv for them"},
      {in_rank("recv 5b from 2"), "x.goal:3: value \"recv in line 3\": expected: as many recv"},
      {"num_ranks 1 rank 0 { send 6b to 0\nrecv 5b from 0 }",
       "x.goal:2: value \"5b\": expected: 6 bytes or more, as many as are sent in line 1"},
  };
  for (const auto& example : wrong) {
    const auto& [text, expected] = example;
    CAPTURE(example.first);
    const std::string error = goal_error(text);
    CAPTURE(error);
    CHECK(error.find(expected) != std::string::npos);
  }
}

TEST_CASE("GOAL: operations that wait for each other in a circle are named") {
  CHECK(goal_error(in_rank("a: calc 1\na requires a"))
            .find("a of rank 0, which waits for a of "
                  "rank 0") != std::string::npos);
  const std::string three =
      goal_error(in_rank("x: calc 1\na: calc 1\nb: calc 1\nc: calc 1\n"
                         "a requires x a requires b b irequires c c requires a"));
  CHECK(three.find("a of rank 0, which waits for b of rank 0, which waits for c of rank 0, which "
                   "waits for a of rank 0") != std::string::npos);
  CHECK(three.starts_with("x.goal:4: value \"a\""));
  // Through a message: each rank receives before it sends.
  const std::string both = goal_error(
      "num_ranks 2\n"
      "rank 0 { s: send 8b to 1 r: recv 8b from 1 s requires r }\n"
      "rank 1 { t: send 8b to 0 q: recv 8b from 0 t requires q }\n");
  CHECK(both.find("s of rank 0, which waits for r of rank 0, which waits for t of rank 1, which "
                  "waits for q of rank 1, which waits for s of rank 0") != std::string::npos);
  // A receive only has to have started: no circle.
  CHECK(goal_error("num_ranks 2\n"
                   "rank 0 { s: send 8b to 1 r: recv 8b from 1 s irequires r }\n"
                   "rank 1 { t: send 8b to 0 q: recv 8b from 0 t requires q }\n") == "");
}

TEST_CASE("GOAL: messages are matched by source, destination and tag in order") {
  std::size_t all = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const auto random = goals::random_trace(seed, 1 + seed % 5, 10 + 3 * seed, 100, 50);
    const DependencyTrace trace = parse_goal(random.text, "x.goal");
    const std::vector<TraceMessage> messages = match_messages(trace);
    auto expected = random.messages;
    std::ranges::sort(expected);
    REQUIRE(messages.size() == expected.size());
    all += messages.size();
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> sent;
    for (std::size_t m = 0; m < messages.size(); ++m) {
      const auto& [src, send, dst, recv] = expected[m];
      CHECK(messages[m].src == src);
      CHECK(messages[m].send == send);
      CHECK(messages[m].dst == dst);
      CHECK(messages[m].recv == recv);
      CHECK(messages[m].bytes == trace.ranks[src][send].amount);
      CHECK(messages[m].index == sent[{src, dst}]++);
    }
    const TraceOrder order(trace, messages);
    const std::uint64_t latency = seed % 7 * 10;
    const auto computing = [](const TraceOp& op) { return op.amount; };
    CHECK(order.longest(computing, [&](const TraceMessage& m) { return latency + m.bytes; }) ==
          relaxed_longest(trace, messages, latency));
  }
  CHECK(all > 1000);
}
