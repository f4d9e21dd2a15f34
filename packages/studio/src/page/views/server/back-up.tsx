import { useState } from 'preact/hooks'
import { Dialog } from '../../parts/page/dialog.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import type { Server } from './server.ts'

/**
 * Says how the store is backed up. A copy has the data of every workspace, so only the admin credentials of the command line read
 * one, and no page.
 */
export function BackUp({ kind }: { readonly kind: Server['store']['kind'] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        <Icon name="download" />
        Back up
      </button>
      <Dialog
        title="Back up the store"
        note="A copy has the data of every workspace, so it is read with the admin credentials, and not by a page."
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        foot={
          <button type="button" onClick={() => setOpen(false)}>
            Close
          </button>
        }
      >
        {kind === 'SQLite' ? (
          <>
            <p>While the server runs, this writes a complete copy into a file:</p>
            <pre class="payload">
              <code>sluice backup monday.db</code>
            </pre>
            <p class="help">
              It needs SLUICE_ADMIN_USER and SLUICE_ADMIN_PASSWORD. The ledger of regulations is copied apart.
            </p>
          </>
        ) : kind === 'PostgreSQL' ? (
          <p>
            Use the backups of the database, with point-in-time recovery. The ledger of regulations is copied apart.
          </p>
        ) : (
          <p>This store is not kept in a file: there is nothing to copy.</p>
        )}
      </Dialog>
    </>
  )
}
