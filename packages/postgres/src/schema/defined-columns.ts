/** Columns of a process that say which definition of workspaces it has. */
export const definedColumns =
  'node.definition, node.file, coalesce(defined_file.seen_at, 0) as seen_at, coalesce(defined_file.revision, 0) as revision'
/** Joins the table that knows its file. */
export const withDefinedFile = 'left join defined_file on defined_file.digest = node.file'
