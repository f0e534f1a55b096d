'use client';
// One example in several languages. The choice is made by radio buttons and style alone, so that it works without script;
// with script it is remembered, and every example of the page follows.
import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './language-tabs.module.css';

const place = 'florin-docs-language';
const chosen = 'florin-docs-language';

type Props = { label: string; panels: { language: string; title: string; block: ReactNode }[] };

export function LanguageTabs({ label, panels }: Props) {
  const name = useId();
  const group = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    const follow = () => {
      const language = localStorage.getItem(place);
      const radios = group.current?.querySelectorAll<HTMLInputElement>('input') ?? [];
      for (const radio of radios) if (radio.value === language) radio.checked = true;
    };
    follow();
    window.addEventListener(chosen, follow);
    return () => window.removeEventListener(chosen, follow);
  }, []);
  const choose = (language: string) => {
    localStorage.setItem(place, language);
    window.dispatchEvent(new Event(chosen));
  };
  return (
    <fieldset ref={group} className={styles.tabs}>
      <legend className="unseen">{label}</legend>
      {panels.map(({ language, title }, at) => (
        <label key={language} className={styles.tab}>
          <input
            type="radio"
            name={name}
            value={language}
            defaultChecked={at === 0}
            onChange={() => choose(language)}
          />
          <span>{title}</span>
        </label>
      ))}
      {panels.map(({ language, block }) => (
        <div key={language} className={styles.panel} data-language={language}>
          {block}
        </div>
      ))}
    </fieldset>
  );
}
