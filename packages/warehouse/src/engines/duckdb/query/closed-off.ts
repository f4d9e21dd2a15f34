/** A query reads the file and nothing else: no other file, no network. */
export const closedOff = {
  access_mode: 'READ_ONLY',
  enable_external_access: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  memory_limit: '512MB',
  max_temp_directory_size: '0B',
}

/** A query cannot change these rules. */
export const locked = { lock_configuration: 'true' }
