/** The class `Database` of better-sqlite3 12, which compiles itself or downloads a binary when it is installed. */
const Database: unknown = require('better-sqlite3')
export = Database
