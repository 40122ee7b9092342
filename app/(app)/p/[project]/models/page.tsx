import { PageHeader } from "@/components/ui/navigation";
export default function Page() {
  return <PageHeader title="Models" />;
}
