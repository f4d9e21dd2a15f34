/**
 * What relative paths in tests are relative to: the project they belong to, which `sluice test` names wherever it is
 * started, then the working folder.
 */
export function baseFolders(): readonly string[] {
  const project = process.env['SLUICE_PROJECT']
  return [...new Set([...(project === undefined ? [] : [project]), process.cwd()])]
}
