import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { bundledThreads } from './support/processes/bundled-threads.ts'

/** Tests run from the sources (`source` export condition); child processes they start run the build. */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  plugins: [bundledThreads()],
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source', 'node'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    reporters: [process.env['CI'] ? 'dot' : 'default', './test/closing-line-reporter.ts'],
    // More workers than cores, because many tests wait for processes, servers and clocks. The default has fewer.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Test files share the modules they import: loading them for each file would take a fifth of the time.
    isolate: false,
    // Ends tests that hang; a busy machine must not fail.
    testTimeout: 40_000,
    hookTimeout: 40_000,
    // Sandboxes, leases and deliveries have limits by the wall clock, which a busy machine reaches. Tests that passed only
    // when they ran again are named at the end.
    retry: 1,
  },
})
