import { Script } from 'node:vm'
import { guestPrelude, realmDecoder, realmWatch, v8Globals } from '../guest-programs.ts'
import { preludeName } from '../vm/guest/prelude.ts'

const script = (text: string, filename: string): Script => new Script(text, { filename })

/** Our own programs, compiled once for all realms of a thread. */
export const ownScripts = {
  globals: script(v8Globals, preludeName),
  prelude: script(guestPrelude, preludeName),
  decoder: script(realmDecoder, `${preludeName}decoder`),
  watch: script(realmWatch, `${preludeName}watch`),
  /** Does nothing; microtasks of a realm run at the end of a script. */
  nothing: script('0', preludeName),
  /** A promise of the realm, for what `import()` returns. The function returns the exports, or the message of an error. */
  later: script(
    "(function (get) { return new Promise((resolve, reject) => { const found = get(); if (typeof found === 'string') reject(new Error(found)); else resolve(found) }) })",
    preludeName,
  ),
  /** Records in `seen` how a promise has settled. */
  settled: script(
    "(function (promise, seen) { promise.then((value) => { seen.state = 'fulfilled'; seen.value = value }, (error) => { seen.state = 'rejected'; seen.value = error }) })",
    preludeName,
  ),
  globalNames: script('Object.getOwnPropertyNames(globalThis)', preludeName),
  globalValues: script('(function (names) { return names.map((name) => globalThis[name]) })', preludeName),
} as const
