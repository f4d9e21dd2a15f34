import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import type { JsonObject } from '@sluice/core'
import type { SegmentDefinition, SegmentFunctions } from '@sluice/segment-actions'

/** What Segment's own packages do between an event and the payload of an action. */
export interface SegmentEngine {
  readonly functions: SegmentFunctions
  transform(mapping: JsonObject, event: JsonObject): JsonObject
}

/** Loads the engine from where a file's packages are. Node cannot load its ES modules. */
export function loadSegmentEngine(from: string): SegmentEngine {
  const require = createRequire(from)
  const main = require.resolve('@segment/actions-core')
  const inside = createRequire(main)
  const { fieldsToJsonSchema } = require(main) as Pick<SegmentFunctions, 'fieldsToJsonSchema'>
  const { evaluateLiquid } = require(join(dirname(main), 'mapping-kit/liquid-directive.js')) as SegmentFunctions
  const { transform } = require(join(dirname(main), 'mapping-kit/index.js')) as Pick<SegmentEngine, 'transform'>
  const { parseFql } = inside('@segment/destination-subscriptions') as Pick<SegmentFunctions, 'parseFql'>
  return { functions: { parseFql, fieldsToJsonSchema, evaluateLiquid }, transform }
}

/** Where the definitions are installed for tests and benches. */
export const segmentPeer = resolve('packages/segment-actions/peer')
export const definitionsPath = join(segmentPeer, 'node_modules/@segment/action-destinations/dist/destinations')

/** Whether all of Segment's definitions are installed: in `packages/segment-actions/peer`, which is no part of the workspace. */
export const hasDefinitions = existsSync(definitionsPath)

/** Loads the definitions, and the engine that comes with them. */
export function loadDefinitions(): {
  readonly engine: SegmentEngine
  readonly definitions: readonly SegmentDefinition[]
} {
  const main = join(definitionsPath, 'index.js')
  const require = createRequire(main)
  const definitions = readdirSync(definitionsPath).flatMap((name) => {
    const file = join(definitionsPath, name, 'index.js')
    if (!existsSync(file)) return []
    const { default: definition } = require(file) as { readonly default?: SegmentDefinition }
    return definition?.actions === undefined ? [] : [definition]
  })
  return { engine: loadSegmentEngine(main), definitions }
}
