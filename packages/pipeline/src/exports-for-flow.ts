// The flow of one batch, without the log and its consumers. It imports nothing of Node, so that it runs in browsers too.
export { buildFlow, type FlowParts } from './flow/build-flow.ts'
export type { DestinationPath } from './flow/destination-path.ts'
export { type Flow, type FlowReport, processBatch, resultsAt } from './flow/flow.ts'
export { leftOutSend, leftOutStage } from './flow/stages/left-out-stage.ts'
export { type PlacedDestination, unsentPath } from './trial/unsent-path.ts'
