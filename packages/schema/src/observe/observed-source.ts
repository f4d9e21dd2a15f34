import { detectors, type ObservationSettings } from '@sluice/core'

/** Samples and values are kept, with all personal data taken out that can be found. */
export const defaultObservation: ObservationSettings = { samples: true, values: true, maskPaths: [], detectors }

/** What may be kept of the events of one source. */
export interface ObservedSource extends ObservationSettings {
  readonly writeKey: string
}
