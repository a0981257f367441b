// Conflict-driven clause learning.
#include "tests/grade/sat.hpp"

#include <algorithm>
#include <utility>

namespace weft::grade {

Sat::Sat() {
  add({fresh()});
}

Lit Sat::fresh() {
  const auto variable = static_cast<std::uint32_t>(assigned_.size());
  assigned_.push_back(0);
  phase_.push_back(0);
  marked_.push_back(0);
  level_.push_back(0);
  reason_.push_back(kNone);
  activity_.push_back(0);
  place_.push_back(kNone);
  watches_.resize(watches_.size() + 2);
  put(variable);
  return variable * 2;
}

void Sat::add(std::vector<Lit> clause) {
  back(0);
  std::sort(clause.begin(), clause.end());
  std::vector<Lit> kept;
  for (const Lit lit : clause) {
    if (now(lit) > 0 || (!kept.empty() && kept.back() == negated(lit))) return;
    if (now(lit) < 0 || (!kept.empty() && kept.back() == lit)) continue;
    kept.push_back(lit);
  }
  if (kept.empty()) {
    broken_ = true;
  } else if (kept.size() == 1) {
    assign(kept[0], kNone);
    if (propagate() != kNone) broken_ = true;
  } else {
    attach(append(kept, false, 0));
  }
}

std::uint32_t Sat::append(const std::vector<Lit>& lits, bool learnt, std::uint32_t glue) {
  clauses_.push_back({static_cast<std::uint32_t>(pool_.size()),
                      static_cast<std::uint32_t>(lits.size()), learnt, false, glue});
  pool_.insert(pool_.end(), lits.begin(), lits.end());
  if (learnt) ++learnt_;
  return static_cast<std::uint32_t>(clauses_.size() - 1);
}

void Sat::attach(std::uint32_t clause) {
  const Lit* const lits = &pool_[clauses_[clause].first];
  watches_[negated(lits[0])].push_back({clause, lits[1]});
  watches_[negated(lits[1])].push_back({clause, lits[0]});
}

void Sat::assign(Lit lit, std::uint32_t reason) {
  assigned_[lit / 2] = lit % 2 != 0 ? -1 : 1;
  level_[lit / 2] = static_cast<std::uint32_t>(limits_.size());
  reason_[lit / 2] = reason;
  trail_.push_back(lit);
}

std::uint32_t Sat::propagate() {
  std::uint32_t conflict = kNone;
  while (head_ < trail_.size() && conflict == kNone) {
    const Lit lit = trail_[head_++];
    std::vector<Watch>& list = watches_[lit];
    std::size_t kept = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Watch watch = list[i];
      if (now(watch.blocker) > 0) {
        list[kept++] = watch;
        continue;
      }
      const Clause& clause = clauses_[watch.clause];
      if (clause.dead) continue;
      Lit* const lits = &pool_[clause.first];
      if (lits[0] == negated(lit)) std::swap(lits[0], lits[1]);
      if (now(lits[0]) > 0) {
        list[kept++] = {watch.clause, lits[0]};
        continue;
      }
      std::uint32_t other = 2;
      while (other < clause.size && now(lits[other]) < 0) ++other;
      if (other < clause.size) {
        std::swap(lits[1], lits[other]);
        watches_[negated(lits[1])].push_back({watch.clause, lits[0]});
        continue;
      }
      list[kept++] = {watch.clause, lits[0]};
      if (now(lits[0]) < 0) {
        conflict = watch.clause;
        while (++i < list.size()) list[kept++] = list[i];
        break;
      }
      assign(lits[0], watch.clause);
    }
    list.resize(kept);
  }
  return conflict;
}

void Sat::bump(std::uint32_t variable) {
  if ((activity_[variable] += step_) > 1e100) {
    for (double& one : activity_) one *= 1e-100;
    step_ *= 1e-100;
  }
  if (place_[variable] != kNone) up(place_[variable]);
}

// Whether all literals that imply it are in the clause already.
bool Sat::implied(Lit lit) {
  const std::uint32_t reason = reason_[lit / 2];
  if (reason == kNone) return false;
  const Clause& clause = clauses_[reason];
  for (std::uint32_t i = 1; i < clause.size; ++i) {
    const std::uint32_t variable = pool_[clause.first + i] / 2;
    if (marked_[variable] == 0 && level_[variable] != 0) return false;
  }
  return true;
}

void Sat::analyse(std::uint32_t conflict, std::vector<Lit>& learnt, std::uint32_t& level) {
  learnt.assign(1, 0);
  std::vector<std::uint32_t> marks;
  std::size_t at = trail_.size();
  unsigned open = 0;
  Lit lit = kNone;
  do {
    const Clause& clause = clauses_[conflict];
    for (std::uint32_t i = lit == kNone ? 0 : 1; i < clause.size; ++i) {
      const Lit other = pool_[clause.first + i];
      if (marked_[other / 2] != 0 || level_[other / 2] == 0) continue;
      marked_[other / 2] = 1;
      marks.push_back(other / 2);
      bump(other / 2);
      if (level_[other / 2] == limits_.size()) {
        ++open;
      } else {
        learnt.push_back(other);
      }
    }
    while (marked_[trail_[--at] / 2] == 0) {
    }
    lit = trail_[at];
    conflict = reason_[lit / 2];
    marked_[lit / 2] = 0;
  } while (--open != 0);
  learnt[0] = negated(lit);
  std::erase_if(learnt, [&](Lit one) { return one != learnt[0] && implied(one); });
  for (const std::uint32_t variable : marks) marked_[variable] = 0;
  level = 0;
  for (std::size_t i = 1; i < learnt.size(); ++i) {
    if (level_[learnt[i] / 2] <= level) continue;
    level = level_[learnt[i] / 2];
    std::swap(learnt[1], learnt[i]);
  }
}

void Sat::back(std::uint32_t level) {
  if (limits_.size() <= level) return;
  while (trail_.size() > limits_[level]) {
    const Lit lit = trail_.back();
    trail_.pop_back();
    phase_[lit / 2] = lit % 2 == 0;
    assigned_[lit / 2] = 0;
    put(lit / 2);
  }
  limits_.resize(level);
  head_ = trail_.size();
}

Lit Sat::decide() {
  while (!heap_.empty()) {
    const std::uint32_t variable = heap_[0];
    place_[variable] = kNone;
    heap_[0] = heap_.back();
    heap_.pop_back();
    if (!heap_.empty() && heap_[0] != variable) {
      place_[heap_[0]] = 0;
      down(0);
    }
    if (assigned_[variable] == 0) return variable * 2 + (phase_[variable] == 0 ? 1 : 0);
  }
  return kNone;
}

void Sat::put(std::uint32_t variable) {
  if (place_[variable] != kNone) return;
  place_[variable] = static_cast<std::uint32_t>(heap_.size());
  heap_.push_back(variable);
  up(place_[variable]);
}

void Sat::up(std::uint32_t place) {
  const std::uint32_t variable = heap_[place];
  while (place != 0 && activity_[heap_[(place - 1) / 2]] < activity_[variable]) {
    heap_[place] = heap_[(place - 1) / 2];
    place_[heap_[place]] = place;
    place = (place - 1) / 2;
  }
  heap_[place] = variable;
  place_[variable] = place;
}

void Sat::down(std::uint32_t place) {
  const std::uint32_t variable = heap_[place];
  for (std::size_t child; (child = 2 * std::size_t{place} + 1) < heap_.size();) {
    if (child + 1 < heap_.size() && activity_[heap_[child + 1]] > activity_[heap_[child]]) ++child;
    if (activity_[heap_[child]] <= activity_[variable]) break;
    heap_[place] = heap_[child];
    place_[heap_[place]] = place;
    place = static_cast<std::uint32_t>(child);
  }
  heap_[place] = variable;
  place_[variable] = place;
}

// The half of the learnt clauses with the most levels goes, at level 0.
void Sat::forget() {
  std::vector<std::uint32_t> all;
  for (std::uint32_t c = 0; c < clauses_.size(); ++c) {
    if (clauses_[c].learnt && !clauses_[c].dead && clauses_[c].glue > 2) all.push_back(c);
  }
  std::stable_sort(all.begin(), all.end(), [&](std::uint32_t a, std::uint32_t b) {
    return clauses_[a].glue > clauses_[b].glue;
  });
  for (std::size_t i = 0; i < all.size() / 2; ++i) {
    clauses_[all[i]].dead = true;
    --learnt_;
  }
  for (auto& list : watches_) {
    std::erase_if(list, [&](const Watch& watch) { return clauses_[watch.clause].dead; });
  }
}

Sat::Answer Sat::solve(const std::vector<Lit>& assumed, std::uint64_t conflicts) {
  back(0);
  if (broken_) return Answer::kNo;
  std::vector<Lit> learnt;
  std::vector<std::uint32_t> levels;
  std::uint64_t until_restart = 100, round = 1, most_learnt = 4000;
  for (;;) {
    const std::uint32_t conflict = propagate();
    if (conflict != kNone) {
      if (limits_.empty()) {
        broken_ = true;
        return Answer::kNo;
      }
      std::uint32_t level = 0;
      analyse(conflict, learnt, level);
      levels.clear();
      for (const Lit lit : learnt) levels.push_back(level_[lit / 2]);
      std::sort(levels.begin(), levels.end());
      const auto glue =
          static_cast<std::uint32_t>(std::unique(levels.begin(), levels.end()) - levels.begin());
      back(level);
      if (learnt.size() == 1) {
        assign(learnt[0], kNone);
      } else {
        const std::uint32_t clause = append(learnt, true, glue);
        attach(clause);
        assign(learnt[0], clause);
      }
      step_ /= 0.95;
      if (conflicts-- == 0) {
        back(0);
        return Answer::kUnknown;
      }
      if (--until_restart == 0) {
        // The series 1 1 2 1 1 2 4 ... of Luby, times 100.
        std::uint64_t r = ++round, size = 1;
        while (size < r + 1) size = size * 2 + 1;
        for (; size - 1 != r; r %= size) size = (size - 1) / 2;
        until_restart = 100 * ((size + 1) / 2);
        back(0);
        if (learnt_ > most_learnt) {
          forget();
          most_learnt += 1000;
        }
      }
      continue;
    }
    Lit next = kNone;
    while (limits_.size() < assumed.size()) {
      const Lit lit = assumed[limits_.size()];
      if (now(lit) < 0) {
        back(0);
        return Answer::kNo;
      }
      if (now(lit) == 0) {
        next = lit;
        break;
      }
      limits_.push_back(static_cast<std::uint32_t>(trail_.size()));
    }
    if (next == kNone) next = decide();
    if (next == kNone) {
      model_.resize(assigned_.size());
      for (std::size_t v = 0; v < assigned_.size(); ++v) model_[v] = assigned_[v] > 0;
      back(0);
      return Answer::kYes;
    }
    limits_.push_back(static_cast<std::uint32_t>(trail_.size()));
    assign(next, kNone);
  }
}

}  // namespace weft::grade
