/** The payments of another object, a page at a time. */
import { fetchPage, newSqlBuilder, type SqlBuilder } from '../../db';
import { type PaymentRow, paymentColumns, toPayment } from '../../payments';
import { readCursors, readPage } from './paging';
import { paymentLine } from './rows';

const usual = 'payments p left join cards k on k.id = p.card_id';

/** The payments `p` of `from` that the conditions find, newest first. */
export async function paymentLines(query: URLSearchParams, confine: (builder: SqlBuilder) => void, from = usual) {
  const page = await readPage(
    readCursors(query),
    async (wanted) => {
      const builder = newSqlBuilder();
      confine(builder);
      const list = { columns: paymentColumns, from, at: 'p.created_at', id: 'p.id' };
      const { rows, more } = await fetchPage<PaymentRow>(list, builder, wanted);
      return { rows: rows.map(toPayment), more };
    },
    (payment) => payment,
  );
  return { ...page, rows: page.rows.map(paymentLine) };
}
