import type { JsonObject, JsonValue } from '@sluice/core'
import { newQuickJSWASMModuleFromVariant, type QuickJSHandle } from 'quickjs-emscripten-core'
import type { GuestApi, SyncHostCall } from '../guest-api.ts'
import { bareGuestBridge } from '../guest-programs.ts'
import { releaseSync } from '../release-sync.ts'
import type { CredentialContext } from './globals/credentials.ts'

/** A guest with only an API, for tests of that API. Values cross as JSON text, and there are no limits. */
export interface BareGuest {
  /** Runs a module body with top-level await and returns what it assigns to `answer`. @throws Error `Name: message`. */
  run(code: string): Promise<JsonValue | undefined>
  close(): void
}

/** @param credentials the values that getCredential knows. */
export async function openBareGuest(api: GuestApi, credentials: JsonObject = {}): Promise<BareGuest> {
  // The engine is private to this guest and discarded as a whole, so nothing must be disposed of.
  const context = (await newQuickJSWASMModuleFromVariant(releaseSync)).newContext()
  const { runtime } = context
  const over = new AbortController()
  const evaluate = (code: string): QuickJSHandle => context.unwrapResult(context.evalCode(code, 'bare-guest'))
  let settled: () => void = () => {}

  const shown = (error: QuickJSHandle): Error => {
    const { name, message } = context.dump(error) as { name?: string; message?: string }
    return new Error(`${name}: ${message}`)
  }
  const answerOf = (call: () => JsonValue): string => {
    try {
      return JSON.stringify({ value: call() })
    } catch (thrown) {
      return failureText(thrown)
    }
  }
  const sync = context.newFunction('sync', (argsText) => {
    const [name, ...args] = JSON.parse(context.getString(argsText)) as [string, ...JsonValue[]]
    const call = api.syncCalls[name] as
      | ((args: JsonValue[], context: CredentialContext) => JsonValue)
      | SyncHostCall
      | undefined
    return context.newString(answerOf(() => call?.(args, { credentials }) ?? null))
  })
  const start = context.newFunction('start', (id, argsText) => {
    const [name, ...args] = JSON.parse(context.getString(argsText)) as [string, ...JsonValue[]]
    const number = context.getNumber(id)
    const done = (text: string): void => {
      context.unwrapResult(
        context.callFunction(settle, context.undefined, context.newNumber(number), context.newString(text)),
      )
      settled()
    }
    api.asyncCalls[name]?.(args, { signal: over.signal }).then(
      (value) => done(JSON.stringify({ value })),
      (thrown) => done(failureText(thrown)),
    )
  })
  const settle = context.unwrapResult(context.callFunction(evaluate(bareGuestBridge), context.undefined, sync, start))
  evaluate(api.globals)
  runtime.setModuleLoader((name) => api.modules[name] ?? { error: new Error(`no module ${name}`) })
  for (const name of Object.keys(api.modules))
    context.unwrapResult(context.evalCode(`import '${name}'`, 'modules', { type: 'module' }))
  evaluate('delete globalThis.callHost; delete globalThis.callHostLater')

  return {
    async run(code) {
      evaluate('globalThis.answer = undefined')
      const evaluated = context.evalCode(code, 'user', { type: 'module' })
      if (evaluated.error) throw shown(evaluated.error)
      const ended = evaluated.value
      for (;;) {
        runtime.executePendingJobs()
        const state = context.getPromiseState(ended)
        if (state.type === 'rejected') throw shown(state.error)
        if (state.type === 'fulfilled') break
        await new Promise<void>((resolve) => {
          settled = resolve
        })
      }
      const text = evaluate('JSON.stringify({ answer })').consume((handle) => context.getString(handle))
      return (JSON.parse(text) as { answer?: JsonValue }).answer
    },
    close() {
      over.abort()
    },
  }
}

function failureText(thrown: unknown): string {
  const { name, message } = thrown instanceof Error ? thrown : new Error(String(thrown))
  return JSON.stringify({ error: { name, message } })
}
