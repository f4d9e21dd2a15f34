/** The column that has the whole id of a row whose id is too long to be a key. */
export const wholeIdColumn = 'sluice_full_id'
