import { detectors, type ObservationSettings } from '@sluice/core'

/** Stores samples and values, with all detectable personal data removed. */
export const defaultObservation: ObservationSettings = { samples: true, values: true, maskPaths: [], detectors }

/** What may be stored of the events of one source. */
export interface ObservedSource extends ObservationSettings {
  readonly writeKey: string
}
