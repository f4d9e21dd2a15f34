import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemRandom } from '@sluice/core'
import { afterEach, beforeEach } from 'vitest'
import { describeLedgerPlace } from '../suites/governance/describe-ledger-place.ts'
import { createFolderLedgerPlace } from './folder-ledger-place.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-ledger-place-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describeLedgerPlace('a folder', async () => createFolderLedgerPlace(join(folder, 'new', 'ledger'), systemRandom))
