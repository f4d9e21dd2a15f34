import { Script } from 'node:vm'
import { createSeededRandom, type JsonObject, type JsonValue, systemClock } from '@sluice/core'
import { type BareGuest, openBareGuest } from './api/bare-guest.ts'
import type { GuestApi } from './guest-api.ts'
import { completeLimits } from './sandbox-limits.ts'
import { compileApi } from './v8/compile-api.ts'
import { compiledModule } from './v8/module/compiled-module.ts'
import { moduleFunction } from './v8/module/module-function.ts'
import { Realm, type SettledPromise } from './v8/realm.ts'
import { drawnNumbers, preludeSettings } from './vm/guest/prelude-link.ts'

const openers = { QuickJS: openBareGuest, V8: openBareV8Guest } as const
type EngineName = keyof typeof openers

/** The engines in which the API of user code has to be the same. */
export const engineNames: readonly EngineName[] = ['QuickJS', 'V8']

/** Opens a guest with an API in one of the engines, for tests. */
export function openGuest(engine: EngineName, api: GuestApi, credentials?: JsonObject): Promise<BareGuest> {
  return openers[engine](api, credentials)
}

const settings = preludeSettings(completeLimits({}))

/**
 * Opens a guest in V8 that has an API, for tests of that API, as `openBareGuest` does in QuickJS. Values cross as JSON
 * text, and there are no limits.
 */
async function openBareV8Guest(api: GuestApi, credentials: JsonObject = {}): Promise<BareGuest> {
  const over = new AbortController()
  const random = createSeededRandom(1)
  let lastId = 0
  let wake = (): void => {}
  const plain = (args: unknown): JsonValue[] => JSON.parse(JSON.stringify(args))
  const parse = (text: string): unknown => realm.run<(text: string) => unknown>(new Script('JSON.parse'))(text)
  const reply = (get: () => JsonValue): unknown => {
    try {
      return parse(JSON.stringify([0, get() ?? null]))
    } catch (thrown) {
      return failure(thrown)
    }
  }
  const realm: Realm = new Realm(
    {
      settings,
      now: () => systemClock.now(),
      randoms: () => drawnNumbers(random),
      calls: {
        call: (name, args) => reply(() => api.syncCalls[String(name)]?.(plain(args), { credentials }) ?? null),
        start: (name, args) => {
          lastId += 1
          const id = lastId
          const settle = (answer: unknown): void => {
            realm.prelude.settleCall(id, answer)
            wake()
          }
          api.asyncCalls[String(name)]?.(plain(args), { signal: over.signal, credentials }).then(
            (value) => settle(reply(() => value)),
            (thrown: unknown) => settle(failure(thrown)),
          )
          return [0, id]
        },
      },
      api: compileApi(api),
    },
    false,
  )
  const answerOf = async (code: string): Promise<JsonValue | undefined> => {
    const text = `globalThis.answer = undefined\n${code}\nexport const answerText = JSON.stringify({ answer: globalThis.answer })`
    const made = moduleFunction(text, [], true)
    const dependencies = made.imports.map(({ specifier }) => realm.api.get(specifier) ?? {})
    const seen: SettledPromise = {}
    realm.settled(
      realm.factory(compiledModule(made, 'user'), false)(dependencies, () => undefined, {}),
      seen,
    )
    for (realm.runJobs(); seen.state === undefined; realm.runJobs())
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    if (seen.state === 'rejected') throw seen.value
    return (JSON.parse((seen.value as { answerText: string }).answerText) as { answer?: JsonValue }).answer
  }
  return {
    async run(code) {
      try {
        return await answerOf(code)
      } catch (thrown) {
        const { name, message } = thrown as { name?: string; message?: string }
        throw new Error(`${name}: ${message}`)
      }
    },
    close: () => over.abort(),
  }
}

function failure(thrown: unknown): readonly [1, string, string] {
  const { name, message } = thrown instanceof Error ? thrown : new Error(String(thrown))
  return [1, name, message]
}
