export { type ApiEraserOptions, createApiEraser, type ErasureProgress, type UserErasure } from './api-eraser.ts'
export { type Backoff, backoffMs } from './backoff.ts'
export {
  type Admission,
  type CircuitBreaker,
  type CircuitBreakerOptions,
  createCircuitBreaker,
} from './circuit-breaker.ts'
export { createTransport, type TransportOptions } from './create-transport.ts'
export { createDeliverStage, type Deferring, type DeliverOptions, type Retry } from './deliver-stage.ts'
export { createLineEraser, type LineEraserOptions } from './line-eraser.ts'
export type { EraseLines, LineErasure } from './line-erasure.ts'
export { createLookups, type Lookup, type LookupResult, type Lookups, type LookupsOptions } from './lookups.ts'
export { ownedTransport } from './owned-transport.ts'
export type { Deferral, DeliverableEvent, Delivered, Delivery, DeliveryHistory } from './parcel.ts'
export { type Answer, createRecordingTransport, type RecordingTransport, reply } from './recording-transport.ts'
export type {
  ClosableTransport,
  NetworkFailure,
  Reply,
  SendOptions,
  Transport,
  TransportResult,
  UnsendableRequest,
} from './transport.ts'
export { createUndiciTransport, type UndiciTransportOptions } from './undici-transport.ts'
export { type Judgement, judge, type Respond } from './verdict.ts'
