import type { GuestApi } from '../guest-api.ts'

/** What one feature adds to the guest API; createGuestApi joins the parts. */
export type GuestApiPart = Partial<GuestApi>

/** All parts as one; of two with the same name the later one counts. */
export function joinParts(parts: readonly GuestApiPart[]): GuestApi {
  return {
    modules: Object.assign({}, ...parts.map((part) => part.modules)),
    globals: parts.map((part) => part.globals ?? '').join('\n;'),
    syncCalls: Object.assign({}, ...parts.map((part) => part.syncCalls)),
    asyncCalls: Object.assign({}, ...parts.map((part) => part.asyncCalls)),
  }
}
