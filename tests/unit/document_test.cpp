// JSON documents: every refusal names file and position.
#include "sim/config/document.hpp"

#include <doctest/doctest.h>

#include <string>

#include "sim/base/error.hpp"
#include "sim/config/config.hpp"
#include "sim/workload/registry.hpp"

namespace {

using weft::ConfigError;

template <class Act>
ConfigError error_of(Act act) {
  try {
    act();
  } catch (const ConfigError& error) {
    return error;
  }
  return ConfigError("nothing is refused");
}

ConfigError parse_error(const std::string& text) {
  return error_of([&] { weft::parse_document(text, "net.json"); });
}

std::string parse(const std::string& text) {
  return parse_error(text).what();
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("text that is not JSON is refused with line and column") {
  CHECK(contains(parse("{\n  \"a\": 1,\n  \"b\" 2\n}"), "net.json: line 3, column 7: "));
  CHECK(contains(parse(""), "net.json: line 1, column 1"));
  CHECK(contains(parse("{\"a\": 1} x"), "line 1, column 10"));
  CHECK(contains(parse("{\"a\":\n [1e999]}"), "net.json: line 2, column 7: expected: JSON whose"));
  CHECK(contains(parse("{\"a\": \"\xff\"}"), "net.json: line 1"));
}

TEST_CASE("a key that an object has twice is refused with its position") {
  const ConfigError twice = parse_error(R"({"a": 1, "b": {"a": 2}, "a": 3})");
  CHECK(twice.file == "net.json");
  CHECK(twice.pointer == "/a");
  CHECK(contains(twice.what(), "net.json: /a: expected: each key of an object once"));
  CHECK(parse_error(R"({"l": [{}, {"o": [0]}, [7, {"x/y": {"k": 1, "k": 2}}]]})").pointer ==
        "/l/2/1/x~1y/k");
  CHECK(parse_error(R"([{"k": [], "k": 2}])").pointer == "/0/k");
  for (const char* fine :
       {R"({"b": {"a": 1}, "a": 2})", R"({"a": 1, "b": {"a": 2}, "c": [{"a": 1}, {"a": 2}]})"}) {
    CHECK_NOTHROW(weft::parse_document(fine, "net.json"));
  }
}

TEST_CASE("nesting that is too deep is refused with its position") {
  const ConfigError lists = parse_error("{\"a\": [1, " + std::string(100000, '['));
  CHECK(lists.file == "net.json");
  CHECK(lists.pointer.starts_with("/a/1/0/0/0"));
  CHECK(contains(lists.what(), ": expected: up to 64 levels of nesting"));
  std::string objects;
  for (int i = 0; i < 70; ++i) objects += "{\"k\":";
  CHECK(parse_error(objects).pointer.starts_with("/k/k/k"));
}

TEST_CASE("a file that is missing or no file is refused") {
  CHECK(contains(error_of([] { weft::load_config("/nowhere/net.json", {}); }).what(),
                 "/nowhere/net.json: cannot be read: No such file"));
  CHECK(contains(error_of([] { weft::load_config("/", {}); }).what(), "/: cannot be read"));
}
