import type { PublicAction, PublicActions } from '@sluice/destinations'
import type { SegmentCore } from '../peer/segment-core.ts'
import type { SegmentAction, SegmentDefinition } from '../peer/segment-definition.ts'
import { fieldsMistake } from './fields-mistake.ts'

/** Returns the actions and presets of a definition for public descriptions. */
export function publicActions({ actions, presets = [] }: SegmentDefinition, core: SegmentCore): PublicActions {
  return {
    actions: Object.entries(actions).map(([name, { title, defaultSubscription, ...action }]) => ({
      name,
      title,
      ...(defaultSubscription === undefined ? {} : { defaultSubscription }),
      batches: action.performBatch !== undefined,
      ...describedFields(name, action, core),
    })),
    // Presets of actions that run in a browser name none of these.
    presets: presets
      .filter(({ partnerAction }) => partnerAction in actions)
      .map(({ name, partnerAction, subscribe = '', type }) => ({
        name,
        action: partnerAction,
        subscribe,
        isAutomatic: type === 'automatic',
      })),
  }
}

/** Fields with a mistake are described as such: the other actions of the definition can still be used. */
function describedFields(
  name: string,
  { description = '', fields = {} }: Pick<SegmentAction, 'description' | 'fields'>,
  core: SegmentCore,
): Pick<PublicAction, 'description' | 'fields'> {
  try {
    return { description, fields: core.fieldsToJsonSchema(fields) }
  } catch (error) {
    return { description: `It cannot be used: ${fieldsMistake(name, error)}. ${description}`.trim(), fields: {} }
  }
}
