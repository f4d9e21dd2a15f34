import type { JsonObject, Source, Workspace } from '@sluice/core'
import { isLargerThan } from '@sluice/core/is-larger-than'
import { detectors } from '@sluice/core/pii'
import { createPersonalDataMask, hiddenValue, type PersonalDataMask } from '@sluice/schema'

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

/** Characters of an event that are masked: some 20 ms. Larger events are hidden whole; usual ones have a few thousand. */
const maskedLengthMax = 256 * 1_024

function bounded(mask: PersonalDataMask): PersonalDataMask {
  return {
    ...mask,
    event: (event) => (isLargerThan(event, maskedLengthMax) ? { largeEvent: hiddenValue } : mask.event(event)),
    value: (value) => (isLargerThan(value, maskedLengthMax) ? hiddenValue : mask.value(value)),
  }
}

/** Returns whether the mask of a source hides a path of an event. Texts made from the event may repeat what is hidden. */
export function hidesPath(masked: JsonObject): boolean {
  return JSON.stringify(masked).includes(`"${hiddenValue}"`)
}
