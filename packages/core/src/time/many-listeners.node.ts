import { setMaxListeners } from 'node:events'

/** Allows any number of listeners to signals to which many calls listen; Node would report more than ten as a leak. */
export function allowManyListeners(...signals: readonly AbortSignal[]): void {
  setMaxListeners(0, ...signals)
}
