'use client';
// The list of settlement reports, the upload of a file, and a report beside its list with the lines that cannot be read.
import { useQueryClient } from '@tanstack/react-query';
import type {
  MappingPage,
  ReportPage,
  ReportRow,
  UploadResult,
} from '../../../lib/dashboard/reconciliation/contract.ts';
import { reportStateLabels, resultLabels } from '../../../lib/dashboard/reconciliation/labels.ts';
import factStyles from '../facts.module.css';
import { FactList } from '../facts.tsx';
import {
  Button,
  fieldsOf,
  ListPage,
  type ListProps,
  Note,
  type OpenRow,
  optionsOf,
  Panel,
  PanelPart,
  request,
  useGo,
  useQuestion,
  useRead,
} from '../ui/index.ts';
import { base64Of, FileField } from '../wallets/file-field.tsx';

type Choices = { mids: { id: string; name: string }[]; mayUpload: boolean };
type Upload = { midId: string; file: File | null };

const upload = fieldsOf<Upload>();

export function Reports({ mids, mayUpload, ...props }: ListProps<ReportRow> & Choices) {
  const client = useQueryClient();
  const { ask, dialog } = useQuestion();
  const go = useGo();
  const askFile = () =>
    ask<Upload>({
      title: 'Upload report',
      verb: 'Import',
      about:
        'Nothing is imported of a file with a line that cannot be read. Import files above 2 MB by the command line.',
      fields: [
        upload.select('midId', 'MID', {
          options: [{ value: '', label: 'Choose a MID', disabled: true }, ...optionsOf(...mids)],
        }),
        upload.own('file', 'File', {
          field: true,
          help: 'CSV of the provider',
          control: <FileField name="file" accept=".csv,.txt,text/csv" missing="Choose the file of the provider." />,
        }),
      ],
      defaultValues: { midId: mids.length === 1 ? (mids[0]?.id ?? '') : '', file: null },
      onConfirm: async ({ midId, file }) => {
        if (!file) return;
        const body = { midId, name: file.name, file: await base64Of(file) };
        const { report } = await request<UploadResult>('/reports', { body });
        await client.invalidateQueries();
        go(`/dashboard/reports?open=${report.id}`);
      },
    });
  const tools = mayUpload ? (
    <Button kind="primary" icon="upload" onClick={askFile}>
      Upload report
    </Button>
  ) : null;
  return (
    <>
      <ListPage<ReportRow> {...props} tools={tools} panel={(open) => <ReportPanel key={open.id} open={open} />} />
      {dialog}
    </>
  );
}

function ReportPanel({ open }: { open: OpenRow<ReportRow> }) {
  const { data } = useRead<ReportPage>(`/reports/${open.id}`, {
    // A job matches its lines after the upload.
    refetchInterval: ({ state }) => (state.data?.state === 'read' ? 5_000 : false),
  });
  return (
    <Panel title={data?.name ?? 'Settlement report'} label="Settlement report" open={open}>
      {data ? <Details report={data} /> : null}
    </Panel>
  );
}

function Details({ report }: { report: ReportPage }) {
  const facts = [
    { name: 'State', value: reportStateLabels[report.state] },
    ...(report.period ? [{ name: 'Days', value: report.period }] : []),
    { name: 'Lines', value: String(report.lines) },
    ...Object.entries(report.results).map(([result, count]) => ({
      name: resultLabels[result] ?? result,
      value: String(count),
    })),
    { name: 'Imported', value: report.createdAt, time: true },
  ];
  return (
    <>
      <PanelPart>
        <FactList facts={facts} className={factStyles.list} />
      </PanelPart>
      {report.bad > 0 ? (
        <PanelPart>
          <Note>{`${report.bad === 1 ? 'A line' : `${report.bad} lines`} cannot be read. Nothing was imported.`}</Note>
          <ul className="mt-2 grid gap-1 pl-4">
            {report.errors.map(({ line, field, message }) => (
              <li key={`${line} ${field}`}>{`Line ${line}, ${field}: ${message}`}</li>
            ))}
          </ul>
        </PanelPart>
      ) : null}
      {report.mayChangeMapping ? <Mapping midId={report.midId} /> : null}
    </>
  );
}

type MappingValues = { settings: string };

const mapping = fieldsOf<MappingValues>();

function Mapping({ midId }: { midId: string }) {
  const { ask, dialog } = useQuestion();
  const change = async () => {
    const { settings, version } = await request<MappingPage>(`/settlement-mappings/${midId}`);
    ask<MappingValues>({
      title: 'Change mapping',
      verb: 'Save mapping',
      done: 'Mapping saved.',
      about:
        'Columns, formats, words of the types and fees, as JSON. It applies to reports that are imported from now on.',
      wide: true,
      fields: [mapping.area('settings', 'Mapping', { rows: 20, mono: true })],
      defaultValues: { settings },
      onConfirm: async (values) => {
        await request(`/settlement-mappings/${midId}`, { body: { ...values, version } });
      },
    });
  };
  return (
    <PanelPart>
      <Button onClick={() => void change()}>Change mapping</Button>
      {dialog}
    </PanelPart>
  );
}
