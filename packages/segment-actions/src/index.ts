export { segmentActions, segmentActions as default } from './family/segment-actions.ts'
export {
  type ActionResult,
  type ActionSource,
  type CompiledAction,
  compileAction,
  type SegmentFunctions,
} from './map/compile-action.ts'
export {
  type CompiledMapping,
  compileMapping,
  type MappingOptions,
  type MappingResult,
} from './map/mapping/compile-mapping.ts'
export type { EvaluateLiquid } from './map/mapping/mapping-compiler.ts'
export type { MappingProblem } from './map/mapping/mapping-problem.ts'
export type { FieldsToJsonSchema, SegmentFields } from './map/payload/payload-reader.ts'
export { toSegmentEvent } from './map/to-segment-event.ts'
export type { SegmentDefinition } from './peer/segment-definition.ts'
