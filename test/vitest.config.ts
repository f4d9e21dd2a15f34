import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { clusterFiles, fastFiles, firefoxFiles, noTests, sampleFiles, systemFiles } from './projects.ts'
import { hangMs } from './support/hang-ms.ts'
import { bundledThreads } from './support/processes/bundled-threads.ts'

const root = new URL('..', import.meta.url).pathname

/**
 * What tests draw by, see `test/support/seed.ts`. The same in every run, so that no change is refused for a draw that has
 * nothing to do with it; `pnpm test:stability` looks for other draws.
 */
const seed = process.env['SLUICE_SEED'] ?? '1'
process.env['SLUICE_SEED'] = seed

/** What all projects share. Tests run from the sources (`source` export condition); processes they start run the build. */
export const shared = {
  root,
  plugins: [bundledThreads()],
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source', 'node'] } },
}
export const test = {
  env: { SLUICE_SEED: seed },
  runner: process.env['SLUICE_EACH_TEST_ONCE'] ? join(root, 'test/setup/each-test-once-runner.ts') : undefined,
  setupFiles: ['test/setup/one-seed.ts', 'test/setup/cpu-cost.ts'],
  // Test files share the modules they import: loading them for each file would take a fifth of the time.
  isolate: false,
  // Ends tests that hang, later than what they wait for is given up, which says more; a busy machine must not fail.
  testTimeout: 2 * hangMs,
  hookTimeout: 2 * hangMs,
  expect: { poll: { timeout: hangMs, interval: 10 } },
}

export default defineConfig({
  root,
  test: {
    // Pipelines that tests start without a logger log to the console what they are made to do: fail.
    onConsoleLog: (text: string) => (/^sluice (?:warning|error): /.test(text) ? false : undefined),
    reporters: [process.env['CI'] ? 'dot' : 'default', './test/closing-line-reporter.ts'],
    // Tests of the system wait for processes, servers and clocks, so they get more workers than there are cores.
    projects: [
      {
        ...shared,
        test: {
          ...test,
          ...fastFiles,
          name: 'fast',
          setupFiles: [...test.setupFiles, 'test/setup/fast-rules.ts'],
          maxWorkers: availableParallelism(),
        },
      },
      { ...shared, test: { ...test, include: sampleFiles, name: 'sample', sequence: { groupOrder: 1 } } },
      {
        ...shared,
        test: {
          ...test,
          include: systemFiles,
          exclude: [...noTests, ...clusterFiles],
          name: 'system',
          maxWorkers: Math.ceil(availableParallelism() * 1.5),
          sequence: { groupOrder: 2 },
        },
      },
      {
        ...shared,
        test: {
          ...test,
          include: clusterFiles,
          name: 'cluster',
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 3 },
        },
      },
      {
        ...shared,
        test: {
          ...test,
          include: firefoxFiles,
          name: 'firefox',
          env: { ...test.env, SLUICE_BROWSER: 'firefox' },
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
