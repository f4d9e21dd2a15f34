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
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
})
