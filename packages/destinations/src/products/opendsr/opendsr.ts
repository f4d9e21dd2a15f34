import { defineDeletionOnly } from '../../kit/index.ts'
import { opendsrDeletion } from './opendsr-deletion.ts'
import { opendsrSettings } from './opendsr-settings.ts'

/**
 * Forwards deletions to a processor that speaks OpenDSR 2.0. Answers of the processor are not checked against its
 * certificate: they come over TLS from the address in the settings.
 *
 * Source: OpenDSR specification; packages/docs/behaviour/regulations.md#destinations.
 */
export const opendsr = defineDeletionOnly({
  type: 'OPENDSR',
  displayName: 'OpenDSR processor',
  settings: opendsrSettings,
  secrets: ['authorization'],
  deletion: opendsrDeletion,
})
