import { TestRunner } from 'vitest'

type Test = Parameters<TestRunner['onBeforeRunTask']>[0]

/** Runs each test once, also those that may run again: `pnpm test:stability` counts each failure. */
export default class EachTestOnceRunner extends TestRunner {
  override async onBeforeRunTask(test: Test): Promise<void> {
    Object.assign(test, { retry: 0 })
    await super.onBeforeRunTask(test)
  }
}
