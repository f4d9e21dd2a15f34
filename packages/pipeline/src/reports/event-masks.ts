import { detectors, type JsonObject, type JsonValue, type Source, type Workspace } from '@sluice/core'
import { createPersonalDataMask, hiddenValue, maskingCost, type PersonalDataMask } from '@sluice/schema'

/** Returns the mask for what is shown of the events of a source, which may be gone. */
export type EventMasks = (workspaceId: string, sourceId: string) => PersonalDataMask

/**
 * Creates masks that replace all detectable personal data, and the values of the paths that the source masks. Samples may
 * show more: a source can leave detectors out for them.
 */
export function createEventMasks(workspaces: () => readonly Workspace[]): EventMasks {
  const masks = new WeakMap<Source, PersonalDataMask>()
  const ofNoSource = bounded(createPersonalDataMask({ maskPaths: [], detectors }))
  return (workspaceId, sourceId) => {
    const source = workspaces()
      .find(({ id }) => id === workspaceId)
      ?.sources.find(({ id }) => id === sourceId)
    if (source === undefined) return ofNoSource
    const known = masks.get(source)
    if (known) return known
    const mask = bounded(createPersonalDataMask({ maskPaths: source.observe?.maskPaths ?? [], detectors }))
    masks.set(source, mask)
    return mask
  }
}

/** Most that it may cost to mask an event: some 20 ms. Larger events are hidden whole; usual ones have a few thousand characters. */
const maskingCostMax = 256 * 1_024

const isTooCostly = (value: JsonValue): boolean => maskingCost(value, maskingCostMax) > maskingCostMax

function bounded(mask: PersonalDataMask): PersonalDataMask {
  return {
    ...mask,
    event: (event) => (isTooCostly(event) ? { largeEvent: hiddenValue } : mask.event(event)),
    value: (value) => (isTooCostly(value) ? hiddenValue : mask.value(value)),
  }
}

/** Returns whether the mask of a source hides a path of an event. Texts made from the event may repeat what is hidden. */
export function hidesPath(masked: JsonObject): boolean {
  return JSON.stringify(masked).includes(`"${hiddenValue}"`)
}
