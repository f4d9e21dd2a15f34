export { type Backoff, backoffMs } from './backoff.ts'
export {
  type Admission,
  type CircuitBreaker,
  type CircuitBreakerOptions,
  createCircuitBreaker,
} from './circuit-breaker.ts'
export { createDeliverStage, type Deferring, type DeliverOptions, type Retry } from './deliver-stage.ts'
export type { Deferral, DeliverableEvent, Delivered, Delivery, DeliveryHistory } from './parcel.ts'
export { type Answer, createRecordingTransport, type RecordingTransport, reply } from './recording-transport.ts'
export type {
  NetworkFailure,
  Reply,
  SendOptions,
  Transport,
  TransportResult,
  UnsendableRequest,
} from './transport.ts'
export { type ClosableTransport, createUndiciTransport, type UndiciTransportOptions } from './undici-transport.ts'
export { type Judgement, judge, type Respond } from './verdict.ts'
