import { AsyncLocalStorage } from 'node:async_hooks'

/** Who makes a call that may change something. */
export interface Caller {
  /** The user name that was sent, which is not checked, or the name of the token. */
  readonly who: string
  /** Method and path, without the query. */
  readonly call: string
}

const storage = new AsyncLocalStorage<Caller>()
/** Calls under way. */
let calls = 0

/**
 * Runs the work of a call, and lets what it does find out who makes it. Between calls nothing is tracked: following each
 * promise costs time in earlier versions of Node, also of work that has nothing to do with calls.
 */
export async function asCaller<T>(caller: Caller, work: () => T | Promise<T>): Promise<T> {
  calls += 1
  try {
    return await storage.run(caller, work)
  } finally {
    calls -= 1
    if (calls === 0) storage.disable()
  }
}

/** Returns who makes the call that the present work is part of; undefined when none does. */
export function presentCaller(): Caller | undefined {
  return storage.getStore()
}
