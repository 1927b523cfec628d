// How the tests run: one PostgreSQL cluster for the run, two files at a time.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/database/cluster.ts'],
    pool: 'forks',
    maxWorkers: 2,
    // No module keeps anything for itself: files share what is loaded, a quarter of the time.
    isolate: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
  },
});
