import { appleModelName } from '#host-parts'
import type { GuestApiPart } from '../guest-api-part.ts'

/**
 * `@rs/localizeAppleDeviceModel/v1`, RudderStack's library for the models of Apple's devices. The names are on the host,
 * because the memory of user code is restored for each batch. Source:
 * packages/docs/behaviour/user-code.md#libraries-of-rudderstack.
 */
export function appleLibrary(): GuestApiPart {
  return {
    modules: { '@rs/localizeAppleDeviceModel/v1': moduleText },
    syncCalls: { appleModelName: ([model]) => (typeof model === 'string' ? appleModelName(model) : (model ?? null)) },
  }
}

const moduleText = `
const call = callHost
const trim = Function.prototype.call.bind(String.prototype.trim)
const toLowerCase = Function.prototype.call.bind(String.prototype.toLowerCase)
export function getLocalizedDeviceModel(event) {
  const system = event?.context?.os?.name
  const model = event?.context?.device?.model
  if (typeof system !== 'string' || !model) return undefined
  switch (toLowerCase(trim(system))) {
    case 'ios':
    case 'ipados':
    case 'tvos':
    case 'watchos':
      return call('appleModelName', model)
  }
  return undefined
}
`
