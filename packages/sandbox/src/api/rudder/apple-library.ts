import { appleModelName } from '#host-parts'
import { rsLocalizeAppleDeviceModelModule } from '../../guest-programs.ts'
import type { GuestApiPart } from '../guest-api-part.ts'

/**
 * `@rs/localizeAppleDeviceModel/v1`, RudderStack's library for the models of Apple's devices. The names are on the host,
 * because the memory of user code is restored for each batch. Source:
 * packages/docs/behaviour/user-code.md#libraries-of-rudderstack.
 */
export function appleLibrary(): GuestApiPart {
  return {
    modules: { '@rs/localizeAppleDeviceModel/v1': rsLocalizeAppleDeviceModelModule },
    syncCalls: { appleModelName: ([model]) => (typeof model === 'string' ? appleModelName(model) : (model ?? null)) },
  }
}
