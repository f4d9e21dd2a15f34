import { cpSync, renameSync } from 'node:fs'
import { join } from 'node:path'

/** Address of the files of the first page in the site. */
const folder = 'front'

/**
 * Writes the first page of the site with all that it loads: `index.html`, `icon.svg`, `front/` and `playground/`.
 * All addresses in it are relative.
 *
 * @param root the repository, built with the playground.
 * @param out existing folder.
 */
export function writeFrontPage(root: string, out: string): void {
  cpSync(join(root, 'packages/docs/front'), join(out, folder), { recursive: true })
  renameSync(join(out, folder, 'index.html'), join(out, 'index.html'))
  cpSync(join(root, 'packages/studio/src/page/icon.svg'), join(out, 'icon.svg'))
  cpSync(join(root, 'packages/studio/dist/playground'), join(out, 'playground'), { recursive: true })
}
