import { defineConfig } from 'vitest/config'

/** Tests run from the sources (`source` export condition); child processes they start run the build. */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source', 'node', 'import', 'default'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    reporters: [process.env['CI'] ? 'dot' : 'default', './test/closing-line-reporter.ts'],
    // The default leaves a core idle, which on two is half of them.
    maxWorkers: '100%',
    // Files share what they import: loading it for each of them would be a fifth of the time.
    isolate: false,
    // To end what hangs; a busy machine is no failure.
    testTimeout: 40_000,
    hookTimeout: 40_000,
  },
})
