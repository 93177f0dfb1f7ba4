#include <algorithm>
#include <map>
#include <set>

#include "case.h"

static uint32_t hash(uint64_t key) {
    key = (key ^ key >> 33) * 0xff51afd7ed558ccdu;
    return uint32_t(key ^ key >> 33);
}

int main() {
    const size_t slots = 512, count = 600;
    Random random{103};
    std::vector<uint64_t> words(count), queries(count), keys(slots, ~0ull);
    std::vector<uint32_t> counts(slots), found;
    std::map<uint64_t, uint32_t> number;
    std::set<size_t> taken;
    uint64_t vocabulary[250];
    // every word of the vocabulary has a slot of its own, so that the table does not depend on who comes first
    for (uint64_t &word : vocabulary) {
        do word = random.next() >> 3;
        while (!taken.insert(hash(word) % slots).second);
    }
    for (uint64_t &word : words) number[word = vocabulary[random.next() % 200]]++;
    for (uint64_t &query : queries) query = vocabulary[random.next() % 250];
    for (auto [word, times] : number) keys[hash(word) % slots] = word, counts[hash(word) % slots] = times;
    for (uint64_t query : queries) found.push_back(number.count(query) ? number[query] : 0);
    Case("count_words").grid(5).block(128).in("words", words).in("keys", std::vector<uint64_t>(slots, ~0ull)).zeros<uint32_t>("counts", {slots}).s32(count)
        .expect("keys", keys).expect("counts", counts).write();
    Case("look_up", "launch-look-up.json").grid(5).block(128).in("queries", queries).in("filled", keys).in("numbers", counts).poison<uint32_t>("found", {count}).s32(count)
        .expect("found", found).write();
}
