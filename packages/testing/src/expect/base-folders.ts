/**
 * Returns the folders to which relative paths in tests refer: the project named by `sluice test`, then the working
 * folder.
 */
export function baseFolders(): readonly string[] {
  const project = process.env['SLUICE_PROJECT']
  return [...new Set([...(project === undefined ? [] : [project]), process.cwd()])]
}
