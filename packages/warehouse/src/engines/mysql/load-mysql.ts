import { WarehouseError } from '../../load/warehouse-error.ts'

/** @throws WarehouseError when the package is not installed. */
export async function loadMysql(): Promise<typeof import('mysql2/promise')> {
  try {
    // Through a variable, because the package may be absent.
    const name = 'mysql2/promise'
    return (await import(name)) as typeof import('mysql2/promise')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes("'mysql2'")) throw error
    throw new WarehouseError('MySQL needs the package mysql2 beside Sluice: npm install mysql2.', 'MYSQL_MISSING')
  }
}
