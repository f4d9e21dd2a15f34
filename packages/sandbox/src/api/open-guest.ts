import type { JsonObject } from '@sluice/core'
import type { GuestApi } from '../guest-api.ts'
import { openBareV8Guest } from '../v8/bare-v8-guest.ts'
import { type BareGuest, openBareGuest } from './bare-guest.ts'

const openers = { QuickJS: openBareGuest, V8: openBareV8Guest } as const
type EngineName = keyof typeof openers

/** The engines in which the API of user code has to be the same. */
export const engineNames: readonly EngineName[] = ['QuickJS', 'V8']

/** Opens a guest with an API in one of the engines, for tests. */
export function openGuest(engine: EngineName, api: GuestApi, credentials?: JsonObject): Promise<BareGuest> {
  return openers[engine](api, credentials)
}
