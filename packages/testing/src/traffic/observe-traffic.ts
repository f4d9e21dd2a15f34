import { type Event, isJsonObject, type JsonObject } from '@sluice/core'
import { createPersonalDataMask, defaultObservation } from '@sluice/schema'
import { type IsPersonal, noValue, type ObservedValue, observeValue } from './observed-value.ts'

/** Events of one type and name that were recorded. */
export interface TrafficModel {
  /** Such as `track Order Completed`, or `page`. */
  readonly name: string
  readonly value: ObservedValue
  /** The newest of them, to see what a transformation does to them. */
  readonly recorded: readonly Event[]
}

/** Event models that are learnt; further ones are left out. */
const modelsMax = 200
/** Recorded events of a model that are kept. */
const recordedMax = 100

/** Keys whose values are about a person, in any case and whatever is between their words. */
const personalKeys = new Set(
  [
    'userId anonymousId previousId email phone mobile name firstName lastName fullName username birthday birthdate',
    'address street city postalCode zip ip age gender avatar ssn iban',
  ]
    .join(' ')
    .split(' ')
    .map(plain),
)

/**
 * Learns event models from recorded events: types, presences, and frequent values that are no personal data.
 * @param personalPaths places of personal data, such as `properties.customer`, in addition to what is recognised.
 */
export async function observeTraffic(
  events: AsyncIterable<unknown> | Iterable<unknown>,
  personalPaths: readonly string[] = [],
): Promise<readonly TrafficModel[]> {
  const mask = createPersonalDataMask({ ...defaultObservation, maskPaths: personalPaths })
  const isPersonal: IsPersonal = (path, value) =>
    mask.hides(path) || path.split('.').some((key) => personalKeys.has(plain(key))) || mask.value(value) !== value
  const models = new Map<string, { value: ObservedValue; recorded: Event[] }>()
  for await (const event of events) {
    if (!isJsonObject(event) || typeof event['type'] !== 'string') continue
    const name = nameOf(event)
    if (mask.value(name) !== name) continue
    if (!models.has(name) && models.size >= modelsMax) continue
    const model = models.get(name) ?? { value: noValue(), recorded: [] }
    models.set(name, model)
    observeValue(model.value, event, isPersonal)
    model.recorded.push(event)
    if (model.recorded.length > recordedMax) model.recorded.shift()
  }
  return [...models].map(([name, model]) => ({ name, ...model }))
}

function nameOf({ type, event }: JsonObject): string {
  return type === 'track' && typeof event === 'string' ? `track ${event}` : String(type)
}

function plain(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z]/g, '')
}
