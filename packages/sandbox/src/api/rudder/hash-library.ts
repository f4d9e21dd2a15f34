import { rsHashModule } from '../../guest-programs.ts'
import type { GuestApiPart } from '../guest-api-part.ts'

/** `@rs/hash/v1`, RudderStack's library of hashes. Source: packages/docs/behaviour/user-code.md#libraries-of-rudderstack. */
export function hashLibrary(): GuestApiPart {
  return { modules: { '@rs/hash/v1': rsHashModule } }
}
