// @ts-check

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
