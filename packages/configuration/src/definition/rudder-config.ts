import { isJsonObject, type JsonObject } from '@sluice/core'
import { destinationTypeOf, type ExportedDestination, readExport, sourceTypeOf } from '../rudder-export/read-export.ts'
import { trackingPlanLink } from '../rudder-export/tracking-plan-link.ts'
import { type Problem, WorkspaceFileError } from './problems/problem.ts'

/** Returns whether a parsed file looks like RudderStack's `workspaceConfig.json`: sources with nested destinations. */
export function isRudderConfig(file: unknown): file is JsonObject {
  return isJsonObject(file) && listOf(file['sources']).some((source) => 'destinations' in source)
}

/**
 * Converts RudderStack's `workspaceConfig.json` to a workspace file, with everything that keeps events from a
 * destination. Unused members are left out. A destination nested under several sources becomes one destination with
 * several connections.
 *
 * @throws WorkspaceFileError when a destination has a transformation, or a source a tracking plan that drops something:
 * the file contains neither code nor rules, and delivering without them could leak what they remove; or when settings
 * cannot express how sources differ.
 */
export function fromRudderConfig(file: JsonObject): JsonObject {
  const problems: Problem[] = []
  listOf(file['sources']).forEach((source, s) => {
    if (source['deleted'] === true) return
    if (trackingPlanLink(source)?.drops)
      problems.push({
        path: `sources[${s}].${'dgSourceTrackingPlanConfig' in source ? 'dgSourceTrackingPlanConfig' : 'trackingPlan'}`,
        value: 'a tracking plan that drops something',
        allowed: 'none; convert the file with sluice import, and add the rules (sources[].trackingPlan)',
      })
    listOf(source['destinations']).forEach(({ transformations, deleted }, d) => {
      if (deleted !== true && Array.isArray(transformations) && transformations.length > 0)
        problems.push({
          path: `sources[${s}].destinations[${d}].transformations`,
          value: 'a list that is not empty',
          allowed: 'an empty list; move the code into a workspace file of Sluice (destinations[].transformation.code)',
        })
    })
  })
  const { sources, destinations, connections } = readExport([file])
  for (const { id, differing } of destinations)
    for (const gate of differing)
      problems.push({
        path: `destination ${id}: ${gate}`,
        value: 'different settings for its sources',
        allowed: 'the same for all; convert the file with sluice import, and write a destination for each',
      })
  if (problems.length > 0) throw new WorkspaceFileError(problems)
  const id = sources.map((source) => source['workspaceId']).find((each) => typeof each === 'string')
  const workspace = {
    id: file['workspaceId'] ?? id ?? 'default',
    // RudderStack has more settings.
    lenient: true,
    sources: sources.map((source) => {
      const { id, name, writeKey, enabled } = source
      return defined({ id, name, type: sourceTypeOf(source), writeKey, enabled })
    }),
    destinations: destinations.map(toDestination),
    connections: connections.map(({ source, destination, closed }) =>
      defined({ source, destination, enabled: closed === undefined ? undefined : false }),
    ),
  }
  return { workspaces: [workspace] }
}

function toDestination({ record, settings }: ExportedDestination): JsonObject {
  const { id, name, enabled, config } = record
  const type = destinationTypeOf(record)
  // Settings of another form are refused later, as those of a workspace file are.
  return defined({
    id,
    name,
    enabled,
    type,
    settings: config === undefined || isJsonObject(config) ? settings : config,
  })
}

function defined(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}

function listOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
