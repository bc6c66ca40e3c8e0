// Drives hnswlib for the ann benchmark. A long-lived child: reads one command per line (fields
// separated by tabs) and answers one line, "ok ..." or "error ...", so that its rounds can take
// turns with those of the other systems. The same protocol is spoken by SystemWorker.java.
//
//   info                                      ok <what runs>
//   load <base> <n> <dim> <queries> <count>   ok             raw little-endian float32, row-major
//   build <M> <efConstruction> <threads>      ok <seconds> <CPU seconds of the process>
//                                             a new index over all rows
//   save <folder>                             ok             writes the built index there
//   restore <folder> <M> <efC> <threads>      ok <seconds> <CPU seconds of the process>
//                                             reads a saved index; of load only the dimension
//                                             and the queries are needed; M, efC, threads are not
//   used                                      ok -1 <resident bytes of the process>
//   first <ef> <k> <count>                    ok <nanos of each of the first count queries>
//   search <ef> <k> <minMillis>               ok <nanos> <CPU nanos of the thread> <queries run>,
//                                             then count*k pairs of (int32 row, float32
//                                             distance), nearest first; row -1 where fewer than
//                                             k came back
//   quit
#include <hnswlib/hnswlib.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <memory>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

int64_t cpu_nanos(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

std::vector<float> read_floats(const std::string &path, size_t count) {
    std::ifstream in(path, std::ios::binary);
    std::vector<float> values(count);
    in.read(reinterpret_cast<char *>(values.data()), count * sizeof(float));
    if (static_cast<size_t>(in.gcount()) != count * sizeof(float)) {
        throw std::runtime_error(path + " is shorter than announced");
    }
    return values;
}

// Resident memory, from the kernel's own count of pages.
int64_t resident_bytes() {
    std::ifstream in("/proc/self/statm");
    int64_t size = 0;
    int64_t resident = 0;
    if (!(in >> size >> resident)) {
        throw std::runtime_error("/proc/self/statm can't be read");
    }
    return resident * sysconf(_SC_PAGESIZE);
}

class Driver {
public:
    std::string info() const {
        std::string simd = "no SIMD";
#if defined(USE_AVX512)
        simd = AVX512Capable() ? "AVX-512 where dim % 16 == 0, else AVX where dim % 4 == 0" : "AVX";
#elif defined(USE_AVX)
        simd = "AVX";
#elif defined(USE_SSE)
        simd = "SSE";
#endif
        std::string compiler =
#if defined(__clang__)
            "clang " __clang_version__;
#elif defined(__VERSION__)
            "g++ " __VERSION__;
#else
            "unknown compiler";
#endif
        return "hnswlib C++ (" + compiler + ", " + simd + ")";
    }

    void load(const std::string &base, size_t n, size_t dim, const std::string &queries, size_t count) {
        index_.reset();
        n_ = n;
        dim_ = dim;
        count_ = count;
        base_ = read_floats(base, n * dim);
        queries_ = read_floats(queries, count * dim);
    }

    void build(size_t m, size_t ef_construction, int threads, std::ostream &out) {
        if (n_ == 0) {
            throw std::runtime_error("build before load");
        }
        index_.reset();
        space_ = std::make_unique<hnswlib::InnerProductSpace>(dim_);
        auto start = Clock::now();
        int64_t cpu_start = cpu_nanos(CLOCK_PROCESS_CPUTIME_ID);
        index_ = std::make_unique<hnswlib::HierarchicalNSW<float>>(space_.get(), n_, m, ef_construction);
        index_->addPoint(base_.data(), 0);  // the first alone: it becomes the entry point
        std::atomic<size_t> next{1};
        std::exception_ptr failure;
        std::mutex failure_lock;
        auto work = [&] {
            try {
                for (size_t i = next.fetch_add(1); i < n_; i = next.fetch_add(1)) {
                    index_->addPoint(base_.data() + i * dim_, i);
                }
            } catch (...) {
                std::lock_guard<std::mutex> guard(failure_lock);
                failure = std::current_exception();
                next = n_;
            }
        };
        std::vector<std::thread> others;
        for (int t = 1; t < threads; t++) {
            others.emplace_back(work);
        }
        work();
        for (auto &t : others) {
            t.join();
        }
        if (failure) {
            std::rethrow_exception(failure);
        }
        out << "ok\t" << std::chrono::duration<double>(Clock::now() - start).count() << '\t'
            << (cpu_nanos(CLOCK_PROCESS_CPUTIME_ID) - cpu_start) / 1e9 << '\n';
    }

    void save(const std::string &folder) {
        require_index("save");
        index_->saveIndex(folder + "/hnswlib.bin");
    }

    void restore(const std::string &folder, std::ostream &out) {
        index_.reset();
        space_ = std::make_unique<hnswlib::InnerProductSpace>(dim_);
        auto start = Clock::now();
        int64_t cpu_start = cpu_nanos(CLOCK_PROCESS_CPUTIME_ID);
        index_ = std::make_unique<hnswlib::HierarchicalNSW<float>>(space_.get(), folder + "/hnswlib.bin");
        out << "ok\t" << std::chrono::duration<double>(Clock::now() - start).count() << '\t'
            << (cpu_nanos(CLOCK_PROCESS_CPUTIME_ID) - cpu_start) / 1e9 << '\n';
    }

    void first(size_t ef, size_t k, size_t count, std::ostream &out) {
        require_index("first");
        index_->setEf(ef);
        out << "ok";
        for (size_t q = 0; q < std::min(count, count_); q++) {
            auto start = Clock::now();
            auto found = index_->searchKnn(queries_.data() + q * dim_, k);
            auto nanos = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start);
            if (found.size() != k) {
                throw std::runtime_error("a query found too few");
            }
            out << '\t' << nanos.count();
        }
        out << '\n';
    }

    // Whole passes over the queries until minMillis are over; the answers are those of the last pass.
    void search(size_t ef, size_t k, int64_t min_millis, std::ostream &out) {
        require_index("search");
        index_->setEf(ef);
        rows_.assign(count_ * k, -1);
        distances_.assign(count_ * k, 0.0f);
        int64_t nanos = 0;
        int64_t cpu = 0;
        int64_t run = 0;
        do {
            auto start = Clock::now();
            int64_t cpu_start = cpu_nanos(CLOCK_THREAD_CPUTIME_ID);
            for (size_t q = 0; q < count_; q++) {
                auto found = index_->searchKnn(queries_.data() + q * dim_, k);
                for (size_t at = found.size(); at-- > 0; found.pop()) {
                    rows_[q * k + at] = static_cast<int32_t>(found.top().second);
                    distances_[q * k + at] = found.top().first;
                }
            }
            cpu += cpu_nanos(CLOCK_THREAD_CPUTIME_ID) - cpu_start;
            nanos += std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
            run += static_cast<int64_t>(count_);
        } while (nanos < min_millis * 1000000);
        out << "ok\t" << nanos << '\t' << cpu << '\t' << run << '\n';
        for (size_t i = 0; i < rows_.size(); i++) {
            out.write(reinterpret_cast<const char *>(&rows_[i]), sizeof(int32_t));
            out.write(reinterpret_cast<const char *>(&distances_[i]), sizeof(float));
        }
    }

private:
    void require_index(const char *command) const {
        if (!index_) {
            throw std::runtime_error(std::string(command) + " before build");
        }
    }

    size_t n_ = 0;
    size_t dim_ = 0;
    size_t count_ = 0;
    std::vector<float> base_;
    std::vector<float> queries_;
    std::vector<int32_t> rows_;
    std::vector<float> distances_;
    std::unique_ptr<hnswlib::InnerProductSpace> space_;
    std::unique_ptr<hnswlib::HierarchicalNSW<float>> index_;
};

std::vector<std::string> fields(const std::string &line) {
    std::vector<std::string> out;
    std::stringstream in(line);
    for (std::string field; std::getline(in, field, '\t');) {
        out.push_back(field);
    }
    return out;
}

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    Driver driver;
    for (std::string line; std::getline(std::cin, line);) {
        try {
            auto f = fields(line);
            std::string command = f.empty() ? "" : f[0];
            if (command == "info") {
                std::cout << "ok\t" << driver.info() << '\n';
            } else if (command == "load" && f.size() == 6) {
                driver.load(f[1], std::stoul(f[2]), std::stoul(f[3]), f[4], std::stoul(f[5]));
                std::cout << "ok\n";
            } else if (command == "build" && f.size() == 4) {
                driver.build(std::stoul(f[1]), std::stoul(f[2]), std::stoi(f[3]), std::cout);
            } else if (command == "save" && f.size() == 2) {
                driver.save(f[1]);
                std::cout << "ok\n";
            } else if (command == "restore" && f.size() == 5) {
                driver.restore(f[1], std::cout);
            } else if (command == "used" && f.size() == 1) {
                std::cout << "ok\t-1\t" << resident_bytes() << '\n';
            } else if (command == "first" && f.size() == 4) {
                driver.first(std::stoul(f[1]), std::stoul(f[2]), std::stoul(f[3]), std::cout);
            } else if (command == "search" && f.size() == 4) {
                driver.search(std::stoul(f[1]), std::stoul(f[2]), std::stol(f[3]), std::cout);
            } else if (command == "quit") {
                return 0;
            } else {
                std::cout << "error\tunknown command: " << line << '\n';
            }
        } catch (const std::exception &e) {
            std::cout << "error\t" << e.what() << '\n';
        }
        std::cout.flush();
    }
    return 0;
}
