// The digest of a run: a polynomial in time (sim/fabric/digest.hpp).
#include "sim/fabric/digest.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "sim/base/random.hpp"

namespace {

using namespace weft;

struct Standing {
  std::uint64_t cycle = 0;
  std::uint32_t link = 0;
  Flit flit;
};

Flit random_flit(RandomStream& random) {
  return {.data = random(),
          .last = random.below(2) != 0,
          .parity = random.below(2) != 0,
          .valid = true,
          .vc = static_cast<std::uint16_t>(random.below(4)),
          .stamp = static_cast<std::uint16_t>(random())};
}

std::vector<Standing> random_run(RandomStream& random, std::size_t flits) {
  std::vector<Standing> run;
  for (std::size_t i = 0; i < flits; ++i) {
    run.push_back(
        {random.below(1000), static_cast<std::uint32_t>(random.below(50)), random_flit(random)});
  }
  return run;
}

void add(Digest& digest, const Standing& s) {
  digest.add(s.cycle, digest_term(digest_factor(s.link, s.flit.vc), s.flit.data, sides_of(s.flit)));
}

std::uint64_t digest_of(const std::vector<Standing>& run) {
  Digest digest;
  for (const Standing& s : run) add(digest, s);
  return digest.value();
}

// By the definition, with divisions.
std::uint64_t slow_digest(const std::vector<Standing>& run) {
  constexpr unsigned __int128 prime = Mod61::kPrime;
  unsigned __int128 sum = 0;
  for (const Standing& s : run) {
    unsigned __int128 term = mix_flit(s.flit.data, sides_of(s.flit)) % prime;
    for (std::uint64_t c = 0; c < s.cycle; ++c) term = term * kDigestBase % prime;
    sum = (sum + term * digest_factor(s.link, s.flit.vc)) % prime;
  }
  return static_cast<std::uint64_t>(sum);
}

TEST_CASE("every bit of wide data changes the term of a flit, and so does its place") {
  RandomStream random(3);
  Flit flit = random_flit(random);
  const auto term = [&] { return digest_term(1, flit, kMaxFlitWords); };
  CHECK(term() == digest_term(1, flit, 1));  // A header has the same term at every width.
  for (std::uint64_t& word : flit.upper) word = random();
  std::set<std::uint64_t> seen = {static_cast<std::uint64_t>(term())};
  for (unsigned bit = 0; bit < kMaxFlitW; ++bit) {
    flit.word(bit / 64) ^= std::uint64_t{1} << bit % 64;
    seen.insert(static_cast<std::uint64_t>(term()));
    flit.word(bit / 64) ^= std::uint64_t{1} << bit % 64;
  }
  for (unsigned w = 1; w < kMaxFlitWords; ++w) {
    std::swap(flit.word(w - 1), flit.word(w));
    seen.insert(static_cast<std::uint64_t>(term()));
    std::swap(flit.word(w - 1), flit.word(w));
  }
  CHECK(seen.size() == 1 + kMaxFlitW + kMaxFlitWords - 1);
  // Words above the width do not count.
  const auto narrow = digest_term(1, flit, 2);
  flit.word(2) ^= 1;
  CHECK(digest_term(1, flit, 2) == narrow);
}

TEST_CASE("digest: the sum of mix(flit) * A^cycle * B(link, vc)") {
  RandomStream random(1);
  for (int i = 0; i < 20; ++i) {
    const auto run = random_run(random, 30);
    CHECK(digest_of(run) == slow_digest(run));
  }
  CHECK(digest_of({}) == 0);
}

TEST_CASE("digest: remainders are right at their ends") {
  constexpr std::uint64_t p = Mod61::kPrime;
  for (const unsigned __int128 x :
       {static_cast<unsigned __int128>(0), static_cast<unsigned __int128>(p - 1),
        static_cast<unsigned __int128>(p), static_cast<unsigned __int128>(p) + 1,
        static_cast<unsigned __int128>(p) * p, static_cast<unsigned __int128>(p) * p - 1,
        ~static_cast<unsigned __int128>(0), ~static_cast<unsigned __int128>(0) - p}) {
    CHECK(Mod61::reduce(x) == static_cast<std::uint64_t>(x % p));
  }
  CHECK(Mod61::power(kDigestBase, p - 1) == 1);
  CHECK(kDigestBase < p);
}

TEST_CASE("digest: the order of adding does not matter, and parts add up") {
  RandomStream random(2);
  auto run = random_run(random, 500);
  const std::uint64_t whole = digest_of(run);
  std::sort(run.begin(), run.end(),
            [](const Standing& a, const Standing& b) { return a.cycle < b.cycle; });
  CHECK(digest_of(run) == whole);
  Digest parts[3], sum;
  for (std::size_t i = 0; i < run.size(); ++i) add(parts[i % 3], run[i]);
  for (const Digest& part : parts) sum += part;
  CHECK(sum.value() == whole);
  // Terms that are added afterwards count, too.
  const Standing one = random_run(random, 1).front();
  add(sum, one);
  run.push_back(one);
  CHECK(sum.value() == digest_of(run));
}

TEST_CASE("digest: flits one a cycle add their own polynomial times A^start * B") {
  RandomStream random(3);
  for (const std::uint64_t start : {std::uint64_t{0}, std::uint64_t{7}, std::uint64_t{1} << 40}) {
    std::vector<Standing> run;
    std::uint64_t own = 0;
    for (std::uint64_t k = 0; k < 40; ++k) {
      Flit flit = random_flit(random);
      flit.vc = 2;
      run.push_back({start + k, 31, flit});
      own = Mod61::reduce(static_cast<unsigned __int128>(own) +
                          Mod61::times(Mod61::reduce(mix_flit(flit.data, sides_of(flit))),
                                       Mod61::power(kDigestBase, k)));
    }
    CHECK(digest_of(run) ==
          Mod61::times(Mod61::times(own, Mod61::power(kDigestBase, start)), digest_factor(31, 2)));
  }
}

TEST_CASE("digest: every bit of a flit, its cycle, link and VC count") {
  RandomStream random(4);
  for (int i = 0; i < 20; ++i) {
    const auto run = random_run(random, 5);
    const std::uint64_t whole = digest_of(run);
    const auto changed = [&](auto change) {
      auto other = run;
      change(other[2]);
      return digest_of(other) != whole;
    };
    for (unsigned bit = 0; bit < 64; ++bit) {
      CHECK(changed([&](Standing& s) { s.flit.data ^= std::uint64_t{1} << bit; }));
    }
    for (unsigned bit = 0; bit < 16; ++bit) {
      CHECK(changed([&](Standing& s) { s.flit.stamp ^= static_cast<std::uint16_t>(1u << bit); }));
      CHECK(changed([&](Standing& s) { s.flit.vc ^= static_cast<std::uint16_t>(1u << bit); }));
      CHECK(changed([&](Standing& s) { s.link ^= 1u << bit; }));
    }
    CHECK(changed([](Standing& s) { s.flit.last = !s.flit.last; }));
    CHECK(changed([](Standing& s) { s.flit.parity = !s.flit.parity; }));
    for (unsigned bit = 0; bit < 40; ++bit) {
      CHECK(changed([&](Standing& s) { s.cycle ^= std::uint64_t{1} << bit; }));
    }
  }
}

TEST_CASE("digest: two flits that swap their cycles, links or VCs are seen") {
  RandomStream random(5);
  for (int i = 0; i < 200; ++i) {
    auto run = random_run(random, 2);
    run[1].cycle = run[0].cycle + 1;
    run[1].link = run[0].link + 1;
    run[1].flit.vc = static_cast<std::uint16_t>(run[0].flit.vc + 1);
    const std::uint64_t whole = digest_of(run);
    std::swap(run[0].cycle, run[1].cycle);
    CHECK(digest_of(run) != whole);
    std::swap(run[0].link, run[1].link);
    CHECK(digest_of(run) != whole);
  }
}

TEST_CASE("digest: no two links and VCs have the same factor") {
  std::set<std::uint64_t> factors;
  for (std::uint32_t link = 0; link < 20000; ++link) {
    for (unsigned vc = 0; vc < 4; ++vc) {
      const std::uint64_t factor = digest_factor(link, vc);
      CHECK(factor - 1 < std::uint64_t{1} << 40);
      factors.insert(factor);
    }
  }
  CHECK(factors.size() == 80000);
}

}  // namespace
