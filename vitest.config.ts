// How the tests run: one PostgreSQL cluster for the run, four files at a time: those that start programs, then the long ones.
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/database/cluster.ts', 'test/support/built-pages.ts'],
    pool: 'forks',
    // Four on two cores: about four tenths of the time of a file is spent waiting.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // No module keeps anything for itself: files share what is loaded, a quarter of the time.
    isolate: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A page under load shows what it read later than a second.
    expect: { poll: { timeout: 20_000 } },
    teardownTimeout: 60_000,
  },
});
