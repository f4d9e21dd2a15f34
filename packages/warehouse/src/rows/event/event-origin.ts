/** Where an event comes from and goes to: what RudderStack calls delivery metadata. */
export interface EventOrigin {
  readonly sourceId?: string
  readonly sourceType?: string
  /** Category of the source. `cloud` and `singer-protocol` have rules of their own. */
  readonly sourceCategory?: string
  readonly destinationId?: string
  readonly destinationType?: string
  /** When the event was received, as ISO text. */
  readonly receivedAt?: string
}
