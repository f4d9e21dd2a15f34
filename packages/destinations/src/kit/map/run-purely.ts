/**
 * Runs a function while clock, randomness and network of the platform throw, then restores them. For tests: the
 * functions of a definition must be pure. They may parse dates of events but not read the current time.
 *
 * @throws Error ('not pure') when the function uses one of them. Errors of the function itself are thrown too.
 */
export function runPurely<T>(run: () => T): T {
  const { Date: realDate, fetch: realFetch } = globalThis
  const realRandom = Math.random
  const refuse = (): never => {
    throw new Error('not pure: the function read the clock, random numbers or the network')
  }
  globalThis.Date = new Proxy(realDate, {
    construct: (target, args) => (args.length === 0 ? refuse() : Reflect.construct(target, args)),
    apply: refuse,
    get: (target, key) => (key === 'now' ? refuse : Reflect.get(target, key)),
  })
  globalThis.fetch = refuse
  Math.random = refuse
  try {
    return run()
  } finally {
    globalThis.Date = realDate
    globalThis.fetch = realFetch
    Math.random = realRandom
  }
}
