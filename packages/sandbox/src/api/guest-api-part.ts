import type { GuestApi } from '../guest-api.ts'

/** What one feature contributes to the guest API; createGuestApi joins the parts. */
export type GuestApiPart = Partial<GuestApi>

/** Joins parts. Of two entries with the same name, the later one wins. */
export function joinParts(parts: readonly GuestApiPart[]): GuestApi {
  return {
    modules: Object.assign({}, ...parts.map((part) => part.modules)),
    globals: parts.map((part) => part.globals ?? '').join('\n;'),
    syncCalls: Object.assign({}, ...parts.map((part) => part.syncCalls)),
    asyncCalls: Object.assign({}, ...parts.map((part) => part.asyncCalls)),
  }
}
