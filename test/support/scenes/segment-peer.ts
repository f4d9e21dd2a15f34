import { existsSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../../packages/segment-actions/peer')

/** Folder in which Segment's definitions are installed for tests; undefined when they are not. */
export const segmentPeer: string | undefined = existsSync(join(folder, 'node_modules/@segment/action-destinations'))
  ? folder
  : undefined

/** Why tests with the definitions are skipped; '' when they run. Printed in their names. */
export const noSegmentPeer = segmentPeer
  ? ''
  : 'Segment definitions are not installed: npx pnpm@10.34.9 install --dir packages/segment-actions/peer --frozen-lockfile'
