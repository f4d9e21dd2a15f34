import type { Store } from '@sluice/pipeline'
import { afterEach } from 'vitest'

/** Opens a new, empty store. */
export type OpenStore = () => Promise<Store>

export interface SuiteOptions {
  /** Reopens the store that `OpenStore` opened last, after it was closed. For stores that outlive their handle. */
  readonly reopen?: OpenStore
}

/** Opens stores for the tests of the suite it is called in, and closes them after each test. */
export function openStores(open: OpenStore): OpenStore {
  const opened: Store[] = []
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
  })
  return async () => {
    const store = await open()
    opened.push(store)
    return store
  }
}
